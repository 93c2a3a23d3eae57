import { expect, it } from '@jest/globals';
import { decodePlain, encodeDocument } from '../bson/value.ts';
import { hasRecord, readRecord } from './arena.ts';
import { type Catalog, createCatalog } from './catalog.ts';
import { idKeyOf } from './id-order.ts';
import type { JournalEntry } from './journal-format.ts';
import { replay } from './replay.ts';

const where = (collection: string) => ({ database: 'd', collection });
const create = (name: string): JournalEntry => ({ ...where(name), kind: 'create' });
const put = (name: string, document: object): JournalEntry => ({
  ...where(name),
  kind: 'put',
  document: encodeDocument(document),
});
const remove = (name: string, _id: string): JournalEntry => ({
  ...where(name),
  kind: 'remove',
  id: idKeyOf(encodeDocument({ _id }), false),
});

function documentsIn(catalog: Catalog, name: string): object[] {
  const arena = catalog.collections.get(`d.${name}`)?.arena;
  const found: object[] = [];
  for (let record = 0; arena && record < arena.end; record += 1) {
    if (hasRecord(arena, record)) found.push(decodePlain(readRecord(arena, record)));
  }
  return found;
}

it('does what a frame says in its order, also where two collections use one id', () => {
  const catalog = createCatalog();
  const frame = [
    create('emails'),
    create('bodies'),
    put('bodies', { _id: 'a', n: 1 }),
    put('emails', { _id: 'a', n: 2 }),
    put('emails', { _id: 'b', n: 3 }),
    put('emails', { _id: 'a', n: 4 }),
    put('emails', { _id: 'c', n: 5 }),
    remove('emails', 'b'),
    put('emails', { _id: 'd', n: 6 }),
    put('bodies', { _id: 'b', n: 7 }),
  ];
  const sessions = { restore: () => undefined, all: () => [] };
  for (let times = 0; times < 2; times += 1) {
    replay(catalog, sessions, times === 0 ? frame : frame.slice(2));
    expect(documentsIn(catalog, 'bodies')).toEqual([
      { _id: 'a', n: 1 },
      { _id: 'b', n: 7 },
    ]);
    expect(documentsIn(catalog, 'emails')).toEqual(
      expect.arrayContaining([
        { _id: 'a', n: 4 },
        { _id: 'c', n: 5 },
        { _id: 'd', n: 6 },
      ]),
    );
    expect(documentsIn(catalog, 'emails')).toHaveLength(3);
  }
});
