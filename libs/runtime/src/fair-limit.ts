import { setMaxListeners } from 'node:events';

export type Release = () => void;

export interface FairLimit {
  /** Runs the task with a permit of its owner, and gives the permit back when the task ends. */
  run<T>(owner: string, task: () => Promise<T>, options?: PermitOptions): Promise<T>;
  /** Waits for a permit. A second call of the release has no effect. */
  acquire(owner: string, options?: PermitOptions): Promise<Release>;
  /** Takes a permit only if nobody has to wait for it. */
  tryAcquire(owner: string, weight?: number): Release | undefined;
  /** The weight that an owner holds now. */
  held(owner: string): number;
}

export interface PermitOptions {
  /** The part of the limit that this permit takes: 1, or for example bytes. A larger one than `perOwner` counts as `perOwner`. */
  weight?: number;
  /** Ends the wait. A permit that was given already is not affected. */
  signal?: AbortSignal | undefined;
}

export interface FairLimitBounds {
  total: number;
  /** The most that one owner holds at once. It is `total` unless given. */
  perOwner?: number;
  /** No owner holds more than is left free for others, beyond its first permit. So a few owners never hold everything. */
  leavesFree?: boolean;
  /** The most that may wait for one owner; one more is refused. It is unbounded unless given. */
  mostWaiting?: number;
  /** The error of a refusal. */
  refusal?: () => Error;
}

/** Thrown where no `refusal` is given. */
export class TooManyWaiting extends Error {}

interface Waiter {
  weight: number;
  admit: () => void;
}

/**
 * A weighted semaphore that is fair between owners: they are served in rotation, each in its order of arrival, and none
 * holds more than its share. A waiter whose weight does not fit yet keeps lighter ones behind it, so that it is not starved.
 */
export function createFairLimit({
  total,
  perOwner = total,
  leavesFree = false,
  mostWaiting = Infinity,
  refusal = () => new TooManyWaiting('too many wait for this limit: try again later'),
}: FairLimitBounds): FairLimit {
  const share = Math.min(perOwner, total);
  const permits = createPermits({ total, share, leavesFree });
  const queues = createRotation(permits.mayHold);

  const serve = (): void => {
    for (let next = queues.first(); next && permits.isFree(next.weight); next = queues.first()) {
      queues.shift();
      next.admit();
    }
  };
  const hold = (owner: string, weight: number): Release => {
    permits.add(owner, weight);
    queues.update(owner);
    let isHeld = true;
    return () => {
      if (!isHeld) return;
      isHeld = false;
      permits.add(owner, -weight);
      // Others may hold more now, because more is free.
      if (leavesFree) queues.updateAll();
      else queues.update(owner);
      serve();
    };
  };
  const wait = createWait(queues, hold, serve);

  const tryAcquire: FairLimit['tryAcquire'] = (owner, wanted = 1) => {
    const weight = Math.min(wanted, share);
    const fits = permits.isFree(weight) && permits.mayHold(owner, weight);
    return fits && !queues.first() && queues.waiting(owner) === 0 ? hold(owner, weight) : undefined;
  };
  const acquire: FairLimit['acquire'] = async (owner, { weight = 1, signal } = {}) => {
    signal?.throwIfAborted();
    const release = tryAcquire(owner, weight);
    if (release) return release;
    if (queues.waiting(owner) >= mostWaiting) throw refusal();
    return wait(owner, Math.min(weight, share), signal);
  };
  return { run: runWith(acquire), acquire, tryAcquire, held: permits.held };
}

/** Queues a waiter until it is admitted, or its signal is aborted. */
function createWait(
  queues: ReturnType<typeof createRotation>,
  hold: (owner: string, weight: number) => Release,
  serve: () => void,
) {
  return (owner: string, weight: number, signal: AbortSignal | undefined): Promise<Release> =>
    new Promise((resolve, reject) => {
      const forget = onAbort(signal, () => {
        queues.remove(owner, waiter);
        serve();
        reject(signal?.reason as Error);
      });
      const admit = (): void => {
        forget();
        resolve(hold(owner, weight));
      };
      const waiter = { weight, admit };
      queues.push(owner, waiter);
      serve();
    });
}

function runWith(acquire: FairLimit['acquire']): FairLimit['run'] {
  return async (owner, task, options) => {
    const release = await acquire(owner, options);
    try {
      return await task();
    } finally {
      release();
    }
  };
}

/** Returns the call that removes the listener again. */
function onAbort(signal: AbortSignal | undefined, listener: () => void): () => void {
  if (!signal) return () => undefined;
  // Many waiters may share one signal, and each removes its own listener.
  setMaxListeners(0, signal);
  signal.addEventListener('abort', listener, { once: true });
  return () => signal.removeEventListener('abort', listener);
}

/** Counts what is held, in all and by owner. */
function createPermits({ total, share, leavesFree }: { total: number; share: number; leavesFree: boolean }) {
  const byOwner = new Map<string, number>();
  let used = 0;
  const held = (owner: string): number => byOwner.get(owner) ?? 0;
  return {
    held,
    isFree: (weight: number): boolean => used + weight <= total,
    mayHold: (owner: string, weight: number): boolean => {
      const next = held(owner) + weight;
      return next <= share && (!leavesFree || held(owner) === 0 || next <= total - used);
    },
    add: (owner: string, weight: number): void => {
      used += weight;
      const now = held(owner) + weight;
      if (now === 0) byOwner.delete(owner);
      else byOwner.set(owner, now);
    },
  };
}

/** A queue for each owner, and the order in which owners are served. An owner whose first waiter exceeds its share is left out of it. */
function createRotation(mayHold: (owner: string, weight: number) => boolean) {
  const queues = new Map<string, Waiter[]>();
  const rotation = new Set<string>();

  /** The share of those in the rotation may have become smaller. */
  const firstOwner = (): string | undefined => {
    for (const owner of rotation) {
      const [first] = queues.get(owner) ?? [];
      if (first && mayHold(owner, first.weight)) return owner;
      rotation.delete(owner);
    }
    return undefined;
  };
  /** An owner that stays in the rotation keeps its position. */
  const update = (owner: string): void => {
    const [first] = queues.get(owner) ?? [];
    if (first && mayHold(owner, first.weight)) rotation.add(owner);
    else rotation.delete(owner);
  };
  const keep = (owner: string, queue: Waiter[]): void => {
    if (queue.length > 0) queues.set(owner, queue);
    else queues.delete(owner);
    update(owner);
  };
  return {
    waiting: (owner: string): number => queues.get(owner)?.length ?? 0,
    update,
    updateAll: (): void => [...queues.keys()].forEach(update),
    push: (owner: string, waiter: Waiter): void => {
      const queue = queues.get(owner);
      if (queue) queue.push(waiter);
      else keep(owner, [waiter]);
    },
    remove: (owner: string, waiter: Waiter): void => {
      keep(
        owner,
        (queues.get(owner) ?? []).filter((other) => other !== waiter),
      );
    },
    first: (): Waiter | undefined => {
      const owner = firstOwner();
      return owner === undefined ? undefined : queues.get(owner)?.[0];
    },
    /** Removes the first waiter and puts its owner last. */
    shift: (): void => {
      const owner = firstOwner();
      if (owner === undefined) return;
      const queue = queues.get(owner) ?? [];
      queue.shift();
      rotation.delete(owner);
      keep(owner, queue);
    },
  };
}
