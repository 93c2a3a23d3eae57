import type { Catalog } from '../storage/catalog.ts';
import type { Journal } from '../storage/journal.ts';
import type { Operation } from '../protocol/operation.ts';
import type { Rows } from '../query/rows.ts';

export interface Cursor {
  id: bigint;
  namespace: string;
  rows: Rows;
  /** The rows count and pause on this operation; a getMore lends it its own deadline and connection. */
  operation: Operation;
  /** The rest of maxTimeMS, which counts the work of all batches together. */
  budget: number;
  session: string | undefined;
  usedAt: number;
  /** A document that no longer fitted into the last batch. */
  held: Buffer | undefined;
  /** Rows still to be given out when the query has a limit. */
  left: number;
}

/** The results of a session's last retryable write. A repeated write gets these results and does not run again. */
export interface ServerSession {
  txnNumber: bigint;
  /** Results by statement number. */
  results: Map<number, Record<string, unknown> | Buffer>;
  /** The write that is running; the next one of the session waits for it. */
  tail: Promise<void>;
  usedAt: number;
}

/** The `failCommand` fail point of MongoDB: makes chosen commands fail, wait or lose their connection, for tests. */
export interface FailPoint {
  left: number;
  commands: Set<string>;
  errorCode: number | undefined;
  errorLabels: string[];
  closeConnection: boolean;
  blockTimeMS: number;
}

/** The settings that `setParameter` can change while the server runs. */
interface Settings {
  ttlMonitorSleepSecs: number;
}

/** Everything the commands share. One per server; nothing here is global. */
export interface ServerState {
  /** host:port as clients know this server; hello names it as the only member of the set. */
  address: string;
  startedAt: number;
  catalog: Catalog;
  cursors: Map<bigint, Cursor>;
  sessions: Map<string, ServerSession>;
  operations: Map<number, Operation>;
  nextOperation: number;
  /** Undefined when everything is kept in memory only. */
  journal: Journal | undefined;
  failPoint: FailPoint | undefined;
  settings: Settings;
}

export function createState(catalog: Catalog): ServerState {
  return {
    address: '',
    startedAt: Date.now(),
    catalog,
    cursors: new Map(),
    sessions: new Map(),
    operations: new Map(),
    nextOperation: 1,
    journal: undefined,
    failPoint: undefined,
    settings: { ttlMonitorSleepSecs: 60 },
  };
}
