import { CommandError } from '../protocol/errors.ts';
import { interrupt } from '../protocol/operation.ts';
import { type Rows, nextRow } from '../query/rows.ts';
import { cursorReply } from './reply.ts';
import type { Cursor } from '../server/state.ts';
import type { Request } from './request.ts';

/** A batch holds at most this much, with room for the one document that may exceed it. */
const MAX_BATCH = 16 * 1024 * 1024;

async function fillBatch(cursor: Cursor, size: number): Promise<{ batch: Buffer[]; done: boolean }> {
  const batch: Buffer[] = [];
  let bytes = 0;
  while (batch.length < size && cursor.left > 0) {
    const held = cursor.held;
    if (!held && !(await nextRow(cursor.rows, cursor.operation))) return { batch, done: true };
    const document = held ?? cursor.rows.document;
    cursor.held = undefined;
    if (batch.length > 0 && bytes + document.length > MAX_BATCH) {
      cursor.held = document;
      break;
    }
    batch.push(document);
    bytes += document.length;
    cursor.left -= 1;
  }
  // As servers do from version 8 on: whoever has filled the batch does not look whether that was all.
  return { batch, done: cursor.left === 0 && batch.length < size };
}

interface Opening {
  namespace: string;
  rows: Rows;
  batchSize: number;
  limit?: number;
  single?: boolean;
}

let lastId = BigInt(Date.now()) << 16n;

export async function openCursor(
  request: Request,
  { namespace, rows, batchSize, limit, single }: Opening,
): Promise<Buffer> {
  const { operation, state } = request;
  const cursor: Cursor = {
    id: 0n,
    namespace,
    rows,
    operation,
    budget: Infinity,
    session: operation.session,
    usedAt: Date.now(),
    held: undefined,
    left: limit ?? Infinity,
  };
  const { batch, done } = await fillBatch(cursor, batchSize);
  if (!done && !single) {
    lastId += 1n;
    cursor.id = lastId;
    rows.suspend();
    cursor.budget = operation.deadline - performance.now();
    state.cursors.set(cursor.id, cursor);
  }
  return cursorReply('firstBatch', cursor.id, namespace, batch);
}

export async function continueCursor(request: Request, id: bigint, namespace: string, size: number): Promise<Buffer> {
  const { state } = request;
  const { cursors } = state;
  const cursor = cursors.get(id);
  if (!cursor) throw new CommandError(43, `cursor id ${id} not found`);
  if (cursor.namespace !== namespace)
    throw new CommandError(
      13,
      `Requested getMore on namespace '${namespace}', but cursor belongs to a different namespace ${cursor.namespace}`,
    );
  if (state.operations.get(cursor.operation.id) === cursor.operation)
    throw new CommandError(12051, `cursor id ${id} is already in use`);
  const started = performance.now();
  adopt(request, cursor, started);
  // Until the batch is there the cursor counts as lost: an error or an interruption in between ends it.
  let alive = false;
  try {
    const { batch, done } = await fillBatch(cursor, size);
    cursor.rows.suspend();
    alive = !done && !cursor.operation.interrupted;
    return cursorReply('nextBatch', done ? 0n : id, namespace, batch);
  } finally {
    cursor.budget -= performance.now() - started;
    cursor.usedAt = Date.now();
    if (!alive) cursors.delete(id);
  }
}

/** Ends a cursor and whatever is running in it. */
export function killCursor(cursors: Map<bigint, Cursor>, id: bigint): boolean {
  const cursor = cursors.get(id);
  if (!cursor) return false;
  interrupt(cursor.operation, new CommandError(43, `cursor id ${id} was killed`));
  return cursors.delete(id);
}

/** From here on the cursor's own operation is the one that is seen, interrupted and limited. */
function adopt({ state, operation }: Request, cursor: Cursor, now: number): void {
  state.operations.delete(operation.id);
  Object.assign(operation, { deadline: now + cursor.budget });
  Object.assign(cursor.operation, {
    id: operation.id,
    connection: operation.connection,
    command: operation.command,
    startedAt: operation.startedAt,
    deadline: operation.deadline,
    sliceEnd: operation.sliceEnd,
  });
  state.operations.set(operation.id, cursor.operation);
}

const IDLE_MS = 10 * 60_000;

export function forgetIdleCursors(cursors: Map<bigint, Cursor>): void {
  const limit = Date.now() - IDLE_MS;
  for (const [id, cursor] of cursors) if (cursor.usedAt < limit) cursors.delete(id);
}
