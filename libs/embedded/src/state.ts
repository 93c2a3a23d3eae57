import type { Catalog } from './storage/catalog.ts';
import type { Cursor } from './commands/cursors.ts';
import type { Operation } from './operation.ts';
import type { Session } from './commands/sessions.ts';

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
  journal: { settled(toDisk: boolean): Promise<void> } | undefined;
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
  };
}
