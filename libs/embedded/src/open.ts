import { createCatalog } from './storage/catalog.ts';
import { createState } from './state.ts';
import { listen } from './wire/server.ts';

export interface ServerOptions {
  /** Where the journal and the snapshot are kept; without it everything is forgotten at the end. */
  directory?: string;
  port?: number;
}

/** The server itself, in whichever thread this is called. */
export async function openServer(options: ServerOptions): Promise<{ port: number; close(): Promise<void> }> {
  const state = createState(createCatalog());
  const { port, close } = await listen(state, options.port ?? 0);
  state.address = `127.0.0.1:${port}`;
  return { port, close };
}
