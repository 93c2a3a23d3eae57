import type { Catalog } from './storage/catalog.ts';
import type { Journal } from './storage/journal.ts';
import type { Cursor } from './commands/cursors.ts';
import type { Operation } from './operation.ts';
import type { FailPoint } from './commands/fail-point.ts';
import type { Session } from './commands/sessions.ts';

/** What `setParameter` may change while the server runs. */
export interface Settings {
  ttlMonitorSleepSecs: number;
}

/** Everything the commands share. One per server; nothing here is global. */
export interface ServerState {
  /** host:port as clients know this server; hello names it as the only member of the set. */
  address: string;
  startedAt: number;
  catalog: Catalog;
  cursors: Map<bigint, Cursor>;
  sessions: Map<string, Session>;
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
