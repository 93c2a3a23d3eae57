/** Receives each call of a store, and makes it when the schedule says so. */
export type AtCall = (name: string, call: () => Promise<unknown>) => Promise<unknown>;

/** The same store, every call of which goes through `at`. */
export function watched<T extends object>(store: T, at: AtCall): T {
  const calls = Object.entries(store) as [string, (...args: unknown[]) => Promise<unknown>][];
  return Object.fromEntries(
    calls.map(([name, call]) => [name, (...args: unknown[]) => at(name, () => call(...args))]),
  ) as T;
}

/** The process that makes the n-th call. */
export type Schedule = (call: number) => number;

interface Player {
  at: AtCall;
  /** Calls that wait to be let through, in their order. */
  waiting: (() => void)[];
  isDone: boolean;
}

/**
 * Runs several processes whose store calls happen one at a time: `schedule` names the process that makes the n-th call. When
 * that one has ended, another goes on. Returns the number of calls.
 */
export async function interleave(
  processes: readonly ((at: AtCall) => Promise<unknown>)[],
  schedule: Schedule,
): Promise<number> {
  let wake: () => void = () => undefined;
  const players = processes.map((): Player => {
    const waiting: (() => void)[] = [];
    const at: AtCall = async (_, call) => {
      await new Promise<void>((go) => waiting.push(go));
      return call().finally(() => wake());
    };
    return { at, waiting, isDone: false };
  });
  const runs = players.map((player, n) =>
    (processes[n] as (at: AtCall) => Promise<unknown>)(player.at).finally(() => {
      player.isDone = true;
    }),
  );
  for (let calls = 0; ; calls += 1) {
    // The code after a store call needs a few event loop iterations; only another store call takes longer.
    while (players.some(({ waiting, isDone }) => !isDone && waiting.length === 0)) await nextImmediate();
    const able = players.filter(({ isDone }) => !isDone);
    const wanted = players[schedule(calls)];
    const next = wanted?.isDone === false ? wanted : able[0];
    if (!next) {
      await Promise.all(runs);
      return calls;
    }
    const made = new Promise<void>((resolve) => {
      wake = resolve;
    });
    next.waiting.shift()?.();
    await made;
  }
}

const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));

/** Every order of two in which one interrupts the other at most twice. */
export function* ordersOfTwo(calls: number): Generator<Schedule> {
  for (const first of [0, 1]) {
    for (let start = 0; start <= calls; start++) {
      for (let end = start + 1; end <= calls; end++) yield (call) => (call >= start && call < end ? 1 - first : first);
    }
  }
}

/** Dies at the n-th call of its stores, before it was made or after, and answers nothing from then on. */
export function dying(deadly: number, when: When): { at: AtCall; isDead: () => boolean } {
  let calls = 0;
  const at: AtCall = async (name, call) => {
    calls += 1;
    if (calls > deadly || (calls === deadly && when === 'before')) throw new Error(`killed ${when} ${name}`);
    const answer = await call();
    if (calls === deadly) throw new Error(`killed after ${name}`);
    return answer;
  };
  return { at, isDead: () => calls >= deadly };
}

type When = 'before' | 'after';

/**
 * Plays two processes for each call at which the first one dies, and for each order in which one goes on after the other:
 * every call is tried as the point of the change, or every n-th of them. `play` returns the number of calls.
 */
export async function forEveryKillPoint(
  play: (deadly: number, when: When, schedule: Schedule) => Promise<number>,
  everyNth = 1,
): Promise<void> {
  const calls = await play(Infinity, 'after', (call) => call % 2);
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1; deadly <= calls; deadly += 1) {
      for (let start = 0; start <= calls; start += everyNth) {
        for (const first of [0, 1]) await play(deadly, when, (call) => (call < start ? first : 1 - first));
      }
    }
  }
}
