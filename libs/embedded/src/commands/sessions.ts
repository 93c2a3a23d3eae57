import { type RawValue, Type } from '../bson/raw.ts';
import { CommandError } from '../protocol/errors.ts';
import type { SessionMemory } from '../storage/replay.ts';
import type { ServerSession } from '../server/state.ts';
import { type Request, fieldsOf, numberField } from './request.ts';

export function sessionIdOf({ fields }: Request): string | undefined {
  const lsid = fields.get('lsid');
  if (lsid?.type !== Type.object) return undefined;
  const id = fieldsOf(lsid).get('id');
  return id && idText(id);
}

export const idText = (id: RawValue): string => id.buf.toString('hex', id.start, id.end);

/** The statements of a retryable write, or undefined for a write without a number. */
export interface Statements {
  recall(index: number): Record<string, unknown> | Buffer | undefined;
  remember(index: number, result: Record<string, unknown> | Buffer): void;
}

function statementsOf(request: Request, id: string, session: ServerSession): Statements {
  const { txnNumber } = session;
  return {
    recall: (index) => session.results.get(index),
    remember(index, result) {
      if (session.results.has(index)) return;
      session.results.set(index, result);
      // Appended in the same tick as the write, hence in the same frame: both survive a crash or neither does.
      request.state.journal?.append({ kind: 'session', id, txnNumber, statement: index, result });
    },
  };
}

/** Gives the results of all sessions to the snapshot and restores them from it. */
export function sessionMemory(sessions: Map<string, ServerSession>): SessionMemory {
  return {
    restore({ id, txnNumber, statement, result }) {
      const known = sessions.get(id);
      const session = known?.txnNumber === txnNumber ? known : newSession(txnNumber);
      session.results.set(statement, result);
      sessions.set(id, session);
    },
    all: () =>
      [...sessions].flatMap(([id, { txnNumber, results }]) =>
        [...results].map(([statement, result]) => ({ kind: 'session' as const, id, txnNumber, statement, result })),
      ),
  };
}

const newSession = (txnNumber: bigint): ServerSession => ({
  txnNumber,
  results: new Map(),
  tail: Promise.resolve(),
  usedAt: Date.now(),
});

function sessionOf(request: Request, id: string, txnNumber: bigint): ServerSession {
  const { sessions } = request.state;
  const session = sessions.get(id) ?? newSession(-1n);
  session.usedAt = Date.now();
  sessions.set(id, session);
  if (txnNumber < session.txnNumber) {
    throw new CommandError(
      225,
      `Cannot start a write with txnNumber ${txnNumber}: a newer one, ${session.txnNumber}, has already started`,
    );
  }
  if (txnNumber > session.txnNumber) {
    session.txnNumber = txnNumber;
    session.results = new Map();
  }
  return session;
}

/** Runs a write; with a transaction number, one after the other within its session and never twice. */
export async function asRetryable<T>(
  request: Request,
  write: (statements: Statements | undefined) => Promise<T>,
): Promise<T> {
  const number = request.fields.get('txnNumber');
  if (!number) return write(undefined);
  const id = request.operation.session;
  if (id === undefined || number.type !== Type.int64)
    throw new CommandError(72, 'a txnNumber needs an lsid and has to be a long');
  numberField(request.fields, 'txnNumber');
  const waitFor = request.state.sessions.get(id)?.tail ?? Promise.resolve();
  let finished: () => void = () => undefined;
  const tail = new Promise<void>((resolve) => {
    finished = resolve;
  });
  const session = sessionOf(request, id, number.buf.readBigInt64LE(number.start));
  session.tail = waitFor.then(() => tail);
  try {
    await waitFor;
    return await write(statementsOf(request, id, session));
  } finally {
    finished();
  }
}

const IDLE_MS = 30 * 60_000;

/** Forgets sessions nobody has used for half an hour, which is what hello promises. */
export function forgetIdleSessions(sessions: Map<string, ServerSession>): void {
  const limit = Date.now() - IDLE_MS;
  for (const [id, session] of sessions) if (session.usedAt < limit) sessions.delete(id);
}
