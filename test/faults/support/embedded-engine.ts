import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedProcess } from '../../engines/support/embedded-process.ts';
import type { Control } from './engines-control.ts';

interface EmbeddedEngine {
  uri: string;
  control: Control;
  close(): Promise<void>;
}

/** The embedded database in a process of its own, which comes back on the same port with what is in its journal. */
export async function startEmbeddedEngine(): Promise<EmbeddedEngine> {
  const directory = mkdtempSync(join(tmpdir(), 'postroom-faults-'));
  let server = await startEmbeddedProcess(directory);
  const { uri } = server;
  const port = Number(new URL(uri).port);
  const signal = async (name: NodeJS.Signals) => void process.kill(server.pid, name);
  const verbs: Record<Parameters<Control>[0], () => Promise<void>> = {
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    stop: () => server.close(),
    kill: () => server.kill(),
    start: async () => void (server = await startEmbeddedProcess(directory, port)),
  };
  return {
    uri,
    control: (verb) => verbs[verb](),
    close: async () => {
      await server.kill();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
