import { describe, expect, it } from '@jest/globals';
import { mongo } from 'mongoose';
import { findRaw } from './raw-find.ts';

const { BSON } = mongo;
const find = { filter: {}, projection: {}, sort: { _id: 1 }, limit: 3 } as const;
const call = { remainingMs: () => 5_000, signal: new AbortController().signal };
const idOf = (bytes: Buffer, start: number) =>
  (BSON.deserialize(bytes.subarray(start, start + bytes.readInt32LE(start))) as { _id: number })._id;

/** A server that answers with so many documents and keeps its cursor, and counts what it is asked. */
function server(documents: number, cursorId = 2 ** 40) {
  const commands: Record<string, unknown>[] = [];
  let cursors = 0;
  const firstBatch = Array.from({ length: documents }, (_, _id) => ({ _id }));
  const command = (asked: Record<string, unknown>) => {
    commands.push(asked);
    if ('killCursors' in asked) return Promise.resolve({ ok: 1 });
    const cursor = BSON.serialize({ firstBatch, id: BSON.Long.fromNumber(cursorId), ns: 'a.b' });
    return Promise.resolve({ cursor, ok: 1 });
  };
  const byCursor = () => {
    cursors += 1;
    return { toArray: () => Promise.resolve([0, 1, 2].map((_id) => BSON.serialize({ _id }))) };
  };
  const model = { db: { db: { command } }, collection: { name: 'emails', find: byCursor } } as never;
  return { model, commands, cursors: () => cursors };
}

const killed = (commands: Record<string, unknown>[]) =>
  commands.flatMap(({ killCursors, cursors }) => (killCursors ? String(cursors) : []));

describe('a page read from a server that keeps its cursor', () => {
  it('is asked for once, with a batch that it cannot fill, and its cursor is closed', async () => {
    const { model, commands, cursors } = server(3);
    expect(await findRaw(model, find, idOf, call)).toEqual([0, 1, 2]);
    expect(commands[0]).toMatchObject({ find: 'emails', limit: 3, batchSize: 4 });
    expect(killed(commands)).toEqual([String(2 ** 40)]);
    expect(cursors()).toBe(0);
  });

  it('comes by the driver when it did not fit into one reply, and the first cursor is closed', async () => {
    const { model, commands, cursors } = server(2);
    expect(await findRaw(model, find, idOf, call)).toEqual([0, 1, 2]);
    expect(killed(commands)).toHaveLength(1);
    expect(cursors()).toBe(1);
  });

  it('closes the cursor also where a document cannot be read', async () => {
    const { model, commands } = server(3);
    let reads = 0;
    const failing = (bytes: Buffer, start: number) => {
      reads += 1;
      if (reads === 1) throw new Error('not a list item');
      return idOf(bytes, start);
    };
    expect(await findRaw(model, find, failing, call)).toEqual([0, 1, 2]);
    expect(killed(commands)).toHaveLength(1);
  });

  it('closes nothing where nothing is open', async () => {
    const { model, commands } = server(3, 0);
    expect(await findRaw(model, find, idOf, call)).toEqual([0, 1, 2]);
    expect(commands).toHaveLength(1);
  });
});
