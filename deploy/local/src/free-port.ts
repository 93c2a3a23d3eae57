import { createServer, type Server } from 'node:net';

/** Below the ports of outgoing connections: a port that was found free is still free when a server listens on it. */
const RANGE = { first: 11_000, count: 10_000 };
/** More than a process needs at a time. */
const BLOCK_SIZE = 100;
const BLOCKS = RANGE.count / BLOCK_SIZE;

/** The ports of one process. It listens on the first one for as long as it lives, so no other process takes from them. */
interface Block {
  first: number;
  taken: number;
}

/** Tests load this module anew for each file, and stay one process. */
const processWide = globalThis as {
  [BLOCK]?: Promise<Block>;
  [FIRST]?: Promise<boolean>;
  [KEPT]?: Map<number, Promise<boolean>>;
};
const BLOCK = Symbol.for('postroom ports of this process');
const FIRST = Symbol.for('this process was the first on its machine');
const KEPT = Symbol.for('ports that other processes leave to this one');
/** The first Postroom of a machine listens here for as long as it lives. */
const GUARD_PORT = RANGE.first - 1;
/** A process that wants a port that others may want, too, listens on its guard first, while it lives. Two ports may have one. */
const GUARDS = { first: RANGE.first - 100, count: 97 };

/** The wished port when it is free, any free one otherwise: two clones can run side by side. */
export async function freePort(wished: number): Promise<number> {
  if (wished > 0 && (await isFree(wished))) return wished;
  const block = await (processWide[BLOCK] ??= takeBlock());
  for (let tries = 1; tries < BLOCK_SIZE; tries += 1) {
    const port = block.first + 1 + (block.taken++ % (BLOCK_SIZE - 1));
    if (await isFree(port)) return port;
  }
  throw new Error(`no port is free from ${block.first} to ${block.first + BLOCK_SIZE - 1}; close other programs there`);
}

/** The port that people know when it is free, for the first Postroom of the machine. Those beside it get other ones. */
export async function usualPort(usual: number): Promise<number> {
  return (await (processWide[FIRST] ??= isTaken(GUARD_PORT))) ? keptPort(usual) : freePort(0);
}

/**
 * This port when it is free and no other process is about to listen there: each of two that start at once would find it
 * free, and the second to listen would fail.
 */
export async function keptPort(port: number): Promise<number> {
  const kept = (processWide[KEPT] ??= new Map<number, Promise<boolean>>());
  const guard = GUARDS.first + (port % GUARDS.count);
  const isOurs = kept.get(guard) ?? isTaken(guard);
  kept.set(guard, isOurs);
  return freePort((await isOurs) ? port : 0);
}

/** Listens there from now on, unless another process does. */
async function isTaken(guardPort: number): Promise<boolean> {
  const guard = await listen(guardPort);
  guard?.unref();
  return guard !== undefined;
}

async function takeBlock(): Promise<Block> {
  for (let tries = 0; tries < BLOCKS; tries += 1) {
    const first = RANGE.first + ((process.pid + tries) % BLOCKS) * BLOCK_SIZE;
    const guard = await listen(first);
    if (!guard) continue;
    guard.unref();
    return { first, taken: 0 };
  }
  throw new Error(
    `no port is free from ${RANGE.first} to ${RANGE.first + RANGE.count - 1}; close other programs there`,
  );
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listen(port);
  if (!probe) return false;
  await new Promise((resolve) => probe.close(resolve));
  return true;
}

function listen(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}
