import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import type { MessageTypeDefinition } from '@grpc/proto-loader';
import { ROOT } from '../guards/sources.ts';
import { foreignDefinitions } from '../support/foreign-grpc.ts';

interface OurType {
  create(value: object): object;
  encode(value: object): { finish(): Uint8Array };
  decode(bytes: Uint8Array): object;
}
interface Field {
  name: string;
  type: string;
  label: string;
  typeName: string;
}
type Fill = Record<string, (index: number) => unknown>;
type Foreign = MessageTypeDefinition<object, object>;

const PACKAGE = 'postroom.v1.';
const GENERATED = join(ROOT, 'libs/proto/src/postroom/v1');
const foreign = foreignDefinitions();
const ours: Record<string, OurType> = {};
for (const file of readdirSync(GENERATED)) Object.assign(ours, require(join(GENERATED, file)));
/** Messages with a `oneof`, which our code names by `$case`, and their other fields. They have cases of their own below. */
const ONE_OF: Readonly<Record<string, { oneOf: string; others: object }>> = {
  Event: { oneOf: 'data', others: { id: 'evt_1', workspaceId: 'wsp_1', occurredAt: '2026-03-01T00:00:00.000Z' } },
  ListChangesRequest: { oneOf: 'since', others: { limit: 7 } },
};
const names = Object.keys(foreign)
  .filter((name) => 'format' in (foreign[name] as object))
  .map((name) => name.slice(PACKAGE.length));

/** Bytes and numbers at the edges of what fits, and text that takes one to four bytes a character. */
const full: Fill = {
  TYPE_STRING: (index) => `ascii é 漢 🎈 ${index}`,
  TYPE_BOOL: () => true,
  TYPE_INT32: (index) => -1 - index,
  TYPE_UINT32: (index) => 0xffff_ffff - index,
  TYPE_INT64: (index) => Number.MAX_SAFE_INTEGER - index,
  TYPE_DOUBLE: (index) => 0.1 + index,
  TYPE_BYTES: () => Buffer.from(Array.from({ length: 256 }, (_, byte) => byte)),
};
/** Present and yet nothing: what an optional field has to keep apart from absent. */
const hollow: Fill = {
  TYPE_STRING: () => '',
  TYPE_BOOL: () => false,
  TYPE_INT32: () => 0,
  TYPE_UINT32: () => 0,
  TYPE_INT64: () => 0,
  TYPE_DOUBLE: () => 0,
  TYPE_BYTES: () => Buffer.alloc(0),
};

function sample(name: string, fill: Fill): Record<string, unknown> {
  const { field } = (foreign[PACKAGE + name] as Foreign).type as { field: Field[] };
  return Object.fromEntries(
    field.map(({ name: key, type, label, typeName }, index) => {
      const of = type === 'TYPE_MESSAGE' ? () => sample(typeName, fill) : fill[type];
      if (!of) throw new Error(`${name}.${key} is of ${type}, of which this test knows nothing`);
      return [key, label === 'LABEL_REPEATED' ? [of(index), of(index + 1)] : of(index)];
    }),
  );
}

function expectAgreement(name: string, value: object, ourValue: object = value): void {
  const [theirType, ourType] = [foreign[PACKAGE + name] as Foreign, ours[name] as OurType];
  const theirBytes = theirType.serialize(value);
  const ourBytes = Buffer.from(ourType.encode(ourType.create(ourValue)).finish());
  // A field that is not there has no key with them, and `undefined` with us, which toEqual takes for the same.
  expect(ourType.decode(theirBytes)).toEqual(ourType.create(ourValue));
  expect(theirType.deserialize(ourBytes)).toEqual(theirType.deserialize(theirBytes));
  expect(theirType.deserialize(ourBytes)).toMatchObject(value);
}

describe('every message of proto/, written by one codec and read by another', () => {
  const plain = names.filter((name) => !ONE_OF[name]);
  it.each(plain)('%s: full, with every field set to nothing, and empty', (name) => {
    expectAgreement(name, sample(name, full));
    expectAgreement(name, sample(name, hollow));
    expectAgreement(name, {});
  });

  const cases = Object.entries(ONE_OF).flatMap(([name, { oneOf, others }]) =>
    Object.keys(sample(name, full))
      .filter((key) => !(key in others))
      .map((key) => ({ name, key, oneOf, others })),
  );
  it.each(cases)('$name with $key: the one that is set, and no other', ({ name, key, oneOf, others }) => {
    for (const fill of [full, hollow]) {
      const value = sample(name, fill)[key];
      expectAgreement(name, { ...others, [key]: value }, { ...others, [oneOf]: { $case: key, value } });
    }
  });

  it('has a type of ours for each of theirs', () => {
    expect(names.filter((name) => !ours[name])).toEqual([]);
    expect(names.length).toBeGreaterThan(80);
  });
});
