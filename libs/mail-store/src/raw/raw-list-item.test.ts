import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { mongo } from 'mongoose';
import { readListItem } from './raw-list-item.ts';

const encode = (value: object) => Buffer.from(mongo.BSON.serialize(value));
const id = fc.stringMatching(/^[a-z]{3}_[A-Za-z0-9]{0,22}$/);
const document = fc.record({
  _id: id,
  folderId: id,
  date: fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
  isRead: fc.boolean(),
  isStarred: fc.boolean(),
  labelIds: fc.array(id, { maxLength: 12 }),
  waitingForReply: fc.boolean(),
  rendered: fc.string({ unit: 'grapheme' }),
});

describe('a list item read from its bytes', () => {
  it('is what decoding the document gives, in whatever order the fields come', () => {
    fc.assert(
      fc.property(
        document,
        fc.shuffledSubarray(Object.keys(SHAPE), { minLength: 8 }),
        fc.nat(9),
        (shown, keys, offset) => {
          const ordered = Object.fromEntries(keys.map((key) => [key, shown[key as keyof typeof shown]]));
          const bytes = Buffer.concat([Buffer.alloc(offset), mongo.BSON.serialize(ordered)]);
          const { _id, date, rendered: projection, ...rest } = shown;
          const expected = {
            ...rest,
            id: _id,
            date: date.getTime(),
            rendered: Buffer.from(projection).toString('latin1'),
          };
          expect(readListItem(bytes, offset)).toEqual(expected);
        },
      ),
    );
  });

  it('is refused when it holds anything else', () => {
    expect(() => readListItem(encode({ subject: 'x' }))).toThrow();
    expect(() => readListItem(encode({ isRead: 1 }))).toThrow();
    expect(() => readListItem(encode({ labelIds: [1] }))).toThrow();
  });
});

const SHAPE = {
  _id: 1,
  folderId: 1,
  date: 1,
  isRead: 1,
  isStarred: 1,
  labelIds: 1,
  waitingForReply: 1,
  rendered: 1,
};
