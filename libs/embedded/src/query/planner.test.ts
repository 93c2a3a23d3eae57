import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { decodePlain, encodeDocument, encodeValue } from '../bson/value.ts';
import type { Operation } from '../protocol/operation.ts';
import {
  type Collection,
  createCollection,
  deleteDocument,
  finishIndex,
  indexRecord,
  insertDocument,
  registerIndex,
  updateDocument,
} from '../storage/collection.ts';
import { parseIndexSpec } from '../storage/index-spec.ts';
import { readRecord } from '../storage/arena.ts';
import { parseFilter } from '../filter/filter.ts';
import { type FindQuery, openQuery } from './query.ts';
import { Signal } from './rows.ts';
import { parseSort } from './sort.ts';

function operation(): Operation {
  return {
    id: 1,
    connection: 1,
    command: 'find',
    namespace: 't.c',
    session: undefined,
    startedAt: 0,
    deadline: Infinity,
    interrupted: undefined,
    sliceEnd: Infinity,
    keysExamined: 0,
    docsExamined: 0,
  };
}

function addIndex(collection: Collection, spec: Record<string, unknown>): void {
  const index = registerIndex(collection, parseIndexSpec(encodeDocument(spec)));
  if (!index) return;
  for (let record = 0; record < collection.arena.end; record += 1) indexRecord(collection, index, record);
  finishIndex(collection, index);
}

interface Asked {
  filter?: Record<string, unknown>;
  sort?: Record<string, 1 | -1>;
  limit?: number;
  hint?: unknown;
}

/** Suspends after every row, as a cursor does between batches. */
function run(collection: Collection, { filter = {}, sort = {}, limit, hint }: Asked) {
  const query: FindQuery = {
    collection,
    filter: parseFilter(encodeDocument(filter)),
    sort: parseSort(encodeDocument(sort)),
    skip: 0,
    limit,
    hint: hint === undefined ? undefined : encodeValue(hint),
    operation: operation(),
  };
  const { rows, explain } = openQuery(query);
  const found: Record<string, unknown>[] = [];
  for (let signal = rows.next(); signal !== Signal.done; signal = rows.next()) {
    if (signal === Signal.row) found.push(decodePlain(rows.document));
    rows.suspend();
  }
  return { found, plan: JSON.stringify(explain()), examined: query.operation.docsExamined };
}

const scalar = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.constantFrom('a', 'b', null, true),
  fc.constantFrom(1.5, NaN),
);
const value = fc.oneof({ weight: 4, arbitrary: scalar }, { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) });
const document = fc.record(
  { a: value, b: scalar, c: value, d: fc.record({ e: value }, { requiredKeys: [] }) },
  { requiredKeys: [] },
);
const condition = fc.oneof(
  value,
  fc.record({ $gt: scalar }),
  fc.record({ $gte: scalar, $lt: scalar }),
  fc.record({ $lte: scalar }),
  fc.record({ $in: fc.array(scalar, { maxLength: 3 }) }),
  fc.record({ $ne: scalar }),
  fc.record({ $exists: fc.boolean() }),
  fc.record({ $regex: fc.constantFrom('^a', 'a', '^b$') }),
);
const plain = fc.record({ a: condition, b: condition, c: condition, 'd.e': condition }, { requiredKeys: [] });
const filter = fc.oneof(
  plain,
  fc.record({ $or: fc.array(plain, { minLength: 1, maxLength: 3 }) }),
  fc.tuple(plain, fc.array(plain, { minLength: 1, maxLength: 2 })).map(([outer, $or]) => ({ ...outer, $or })),
  fc.tuple(plain, plain).map(([x, y]) => ({ $and: [x, y] })),
);
const sort = fc.constantFrom<Record<string, 1 | -1>>(
  {},
  { b: 1 },
  { b: -1, _id: -1 },
  { a: 1, b: 1 },
  { c: -1 },
  { _id: 1 },
  { 'd.e': 1, b: -1 },
);

describe('choosePlan', () => {
  it('answers every query as a scan of the whole collection would', () => {
    const rows = fc.array(document, { maxLength: 25 });
    fc.assert(
      fc.property(rows, filter, sort, fc.boolean(), (documents, asked, order, change) => {
        const collection = createCollection('t', 'c');
        addIndex(collection, { key: { a: 1, b: -1 } });
        addIndex(collection, { key: { b: 1, c: 1, _id: -1 } });
        addIndex(collection, { key: { c: -1, b: 1 }, partialFilterExpression: { b: { $gte: 1 } } });
        addIndex(collection, { key: { 'd.e': 1 } });
        const records = documents.map((one, i) => insertDocument(collection, encodeDocument({ _id: i, ...one })));
        if (change) {
          for (const record of records.filter((_, i) => i % 3 === 0)) deleteDocument(collection, record);
          for (const record of records.filter((_, i) => i % 3 === 1)) {
            const { _id } = decodePlain(readRecord(collection.arena, record));
            updateDocument(collection, record, encodeDocument({ _id, ...documents[0] }));
          }
        }
        const byPlan = run(collection, { filter: asked, sort: { ...order, _id: order['_id'] ?? 1 } });
        const byScan = run(collection, {
          filter: asked,
          sort: { ...order, _id: order['_id'] ?? 1 },
          hint: { $natural: 1 },
        });
        expect(byPlan.found).toEqual(byScan.found);
      }),
      { numRuns: 300 },
    );
  });

  const mail = createCollection('t', 'mail');
  addIndex(mail, { key: { w: 1, date: -1, _id: -1 }, name: 'by_date' });
  addIndex(mail, { key: { w: 1, folder: 1, date: -1, _id: -1 }, name: 'by_folder' });
  addIndex(mail, { key: { w: 1, tokens: 1, date: -1, _id: -1 }, name: 'by_token' });
  addIndex(mail, { key: { w: 1, date: -1 }, name: 'unread', partialFilterExpression: { unread: true } });
  const idOf = (i: number): string => `id${String(i).padStart(5, '0')}`;
  for (let i = 0; i < 3000; i += 1) {
    const tokens = ['all', `t${i % 10}`, ...(i % 1000 === 0 ? ['rare'] : [])];
    insertDocument(
      mail,
      encodeDocument({ _id: idOf(i), w: 'w', folder: i % 3, date: i >> 1, unread: i % 7 === 0, tokens }),
    );
  }
  const newest: Record<string, 1 | -1> = { date: -1, _id: -1 };

  it('reads one page and no more for a page deep in a listing', () => {
    const after = { date: 500, _id: idOf(1000) };
    const keyset = { $or: [{ date: { $lt: after.date } }, { date: after.date, _id: { $lt: after._id } }] };
    const page = run(mail, { filter: { w: 'w', ...keyset }, sort: newest, limit: 50 });
    expect(page.found[0]).toMatchObject({ _id: idOf(999) });
    expect(page.examined).toBe(50);
    expect(page.plan).toContain('"indexName":"by_date"');
  });

  it('reads one page and no more when the page is searched by a word', () => {
    const page = run(mail, { filter: { w: 'w', tokens: 'all', date: { $lte: 900 } }, sort: newest, limit: 50 });
    expect(page.examined).toBe(50);
    expect(page.plan).toContain('by_token');
  });

  it('reads one page and no more for several folders, merged by date', () => {
    const page = run(mail, { filter: { w: 'w', folder: { $in: [0, 2] } }, sort: newest, limit: 50 });
    expect(page.examined).toBe(50);
    expect(page.plan).toContain('SORT_MERGE');
  });

  it('sorts upwards with an index that runs downwards', () => {
    const page = run(mail, { filter: { w: 'w' }, sort: { date: 1, _id: 1 }, limit: 2 });
    expect(page.found.map(({ _id }) => _id)).toEqual([idOf(0), idOf(1)]);
    expect(page.plan).toContain('backward');
    expect(page.examined).toBe(2);
  });

  it('finds by a prefix what has nothing but the prefix', () => {
    const few = createCollection('t', 'few');
    addIndex(few, { key: { a: 1, b: 1 } });
    insertDocument(few, encodeDocument({ _id: 1, a: 'a', b: 1 }));
    expect(run(few, { filter: { a: { $regex: '^a' }, b: 1 } }).found).toHaveLength(1);
  });

  it('uses a partial index only for queries that stay inside it', () => {
    expect(run(mail, { filter: { w: 'w', unread: true }, sort: { date: -1 } }).plan).toContain('"indexName":"unread"');
    expect(run(mail, { filter: { w: 'w', unread: false }, sort: { date: -1 } }).plan).not.toContain('unread');
  });

  it('asks two indexes for two alternatives, though both are found by what they share', () => {
    const page = run(mail, {
      filter: {
        $or: [
          { w: 'w', tokens: 'rare' },
          { w: 'w', date: 7 },
        ],
      },
      limit: 2_000,
    });
    expect(page.found).toHaveLength(5);
    expect(page.examined).toBeLessThanOrEqual(10);
  });

  it('takes the rare word and sorts, rather than looking for it along the dates', () => {
    const page = run(mail, { filter: { w: 'w', tokens: { $all: ['all', 'rare'] } }, sort: newest, limit: 50 });
    expect(page.found).toHaveLength(3);
    expect(page.examined).toBeLessThanOrEqual(10);
  });
});
