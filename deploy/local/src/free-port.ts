import { createServer } from 'node:net';

/** The wished port when it is free, any free one otherwise: two clones can run side by side. */
export async function freePort(wished: number): Promise<number> {
  return (await listenOnce(wished)) ?? (await listenOnce(0)) ?? 0;
}

function listenOnce(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(undefined));
    probe.listen(port, '127.0.0.1', () => {
      const address = probe.address();
      const found = typeof address === 'object' && address ? address.port : undefined;
      probe.close(() => resolve(found));
    });
  });
}
