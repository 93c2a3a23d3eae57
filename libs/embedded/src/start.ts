import { once } from 'node:events';
import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { SET_NAME } from './commands/hello.ts';
import type { ServerOptions } from './open.ts';

export interface EmbeddedMongo {
  uri: string;
  port: number;
  /** Finishes what is running, writes everything to disk and ends. */
  close(): Promise<void>;
  /** Ends at once, as a crash would. Acknowledged writes are in the journal. */
  kill(): Promise<void>;
}

/** The worker is started from source when this file is, and from the built file otherwise. */
function startWorker(options: ServerOptions): Worker {
  const extension = extname(__filename);
  const fromSource = extension === '.ts';
  return new Worker(join(__dirname, `worker${extension}`), {
    workerData: options,
    execArgv: fromSource
      ? ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')]
      : [],
  });
}

export async function startEmbeddedMongo(options: ServerOptions = {}): Promise<EmbeddedMongo> {
  const worker = startWorker(options);
  const [message] = (await once(worker, 'message')) as [{ port: number }];
  const kill = async (): Promise<void> => {
    await worker.terminate();
  };
  return {
    port: message.port,
    uri: `mongodb://127.0.0.1:${message.port}/postroom?replicaSet=${SET_NAME}`,
    kill,
    async close() {
      worker.postMessage('close');
      await Promise.race([once(worker, 'message'), once(worker, 'exit')]);
      await kill();
    },
  };
}
