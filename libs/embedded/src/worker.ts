import { parentPort, workerData } from 'node:worker_threads';
import { openServer, type ServerOptions } from './open.ts';

/** The thread the server lives in. It says once where it listens, and closes when it is told to. */
async function main(): Promise<void> {
  const server = await openServer(workerData as ServerOptions);
  parentPort?.once('message', () => {
    void server.close().then(() => parentPort?.postMessage({ closed: true }));
  });
  parentPort?.postMessage({ port: server.port });
}

void main();
