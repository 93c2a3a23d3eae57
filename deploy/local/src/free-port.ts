import { createServer } from 'node:net';

/**
 * The ports are below the range of outgoing connections, and each process begins at another one. A port that was found
 * free is therefore still free when a server listens on it.
 */
const RANGE = { first: 11_000, count: 10_000 };
const PER_PROCESS = 97;
let taken = process.pid * PER_PROCESS;

/** The wished port when it is free, any free one otherwise: two clones can run side by side. */
export async function freePort(wished: number): Promise<number> {
  if (wished > 0 && (await isFree(wished))) return wished;
  for (let tries = 0; tries < RANGE.count; tries++) {
    const port = RANGE.first + (taken++ % RANGE.count);
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${RANGE.first} to ${RANGE.first + RANGE.count - 1}`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}
