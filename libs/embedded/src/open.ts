import { sweepExpired } from './commands/expiry.ts';
import { forgetIdleCursors } from './commands/cursors.ts';
import { forgetIdleSessions, sessionMemory } from './commands/sessions.ts';
import { CommandError } from './protocol/errors.ts';
import { interrupt } from './protocol/operation.ts';
import { type ServerState, createState } from './server/state.ts';
import { createCatalog } from './storage/catalog.ts';
import { type Store, openStore } from './storage/store.ts';
import { listen } from './wire/server.ts';

export interface ServerOptions {
  /** Where the journal and the snapshot are kept; without it everything is forgotten at the end. */
  directory?: string;
  port?: number;
}

/** Work that comes round again: expired documents, idle cursors and sessions, the snapshot. One round at a time. */
function startHousekeeping(state: ServerState, store: Store | undefined): () => Promise<void> {
  let sinceSweep = 0;
  let pass: Promise<void> = Promise.resolve();
  let busy = false;
  const work = async (): Promise<void> => {
    forgetIdleCursors(state.cursors);
    forgetIdleSessions(state.sessions);
    sinceSweep += 1;
    if (sinceSweep >= state.settings.ttlMonitorSleepSecs) {
      sinceSweep = 0;
      await sweepExpired(state.catalog, Date.now());
    }
    await store?.snapshotIfDue();
  };
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    pass = work()
      .catch((error: unknown) => process.emitWarning(`housekeeping: ${String(error)}`))
      .finally(() => {
        busy = false;
      });
  }, 1000);
  return async () => {
    clearInterval(timer);
    await pass;
  };
}

/** The server itself, in whichever thread this is called. */
export async function openServer(options: ServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const catalog = createCatalog();
  const state = createState(catalog);
  const store = options.directory ? openStore(options.directory, catalog, sessionMemory(state.sessions)) : undefined;
  state.journal = store?.journal;
  const { port, close } = await listen(state, options.port ?? 0);
  state.address = `127.0.0.1:${port}`;
  const stopHousekeeping = startHousekeeping(state, store);
  return {
    port,
    async close() {
      for (const operation of state.operations.values()) {
        interrupt(operation, new CommandError(11600, 'interrupted at shutdown'));
      }
      await close();
      await stopHousekeeping();
      await store?.close();
    },
  };
}
