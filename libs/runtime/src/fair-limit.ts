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

interface PermitOptions {
  /** The part of the limit that this permit takes: 1, or for example bytes. A larger one than `perOwner` counts as `perOwner`. */
  weight?: number;
  /** Ends the wait. A permit that was given already is not affected. */
  signal?: AbortSignal | undefined;
}

interface FairLimitBounds {
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
      queues.update(owner);
      // Others may hold more now, because more is free.
      if (leavesFree) queues.updateLeftOut();
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

type MayHold = (owner: string, weight: number) => boolean;

/** A queue for each owner, and the order in which owners are served. */
function createRotation(mayHold: MayHold) {
  const queues = new Map<string, Waiter[]>();
  const served = createServedOwners(queues, mayHold);

  const keep = (owner: string, queue: Waiter[]): void => {
    if (queue.length > 0) queues.set(owner, queue);
    else queues.delete(owner);
    served.update(owner);
  };
  return {
    waiting: (owner: string): number => queues.get(owner)?.length ?? 0,
    update: served.update,
    updateLeftOut: served.updateLeftOut,
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
      const owner = served.first();
      return owner === undefined ? undefined : queues.get(owner)?.[0];
    },
    /** Removes the first waiter and puts its owner last. */
    shift: (): void => {
      const owner = served.first();
      if (owner === undefined) return;
      const queue = queues.get(owner) ?? [];
      queue.shift();
      served.delete(owner);
      keep(owner, queue);
    },
  };
}

/** The owners in rotation. An owner whose first waiter exceeds its share is left out until it has room again. */
function createServedOwners(queues: ReadonlyMap<string, Waiter[]>, mayHold: MayHold) {
  const rotation = new Set<string>();
  const leftOut = new Set<string>();

  /** An owner that stays in the rotation keeps its position. */
  const update = (owner: string): void => {
    const [first] = queues.get(owner) ?? [];
    const isServed = first !== undefined && mayHold(owner, first.weight);
    if (isServed) rotation.add(owner);
    else rotation.delete(owner);
    if (first && !isServed) leftOut.add(owner);
    else leftOut.delete(owner);
  };
  return {
    update,
    updateLeftOut: (): void => leftOut.forEach(update),
    delete: (owner: string): void => void rotation.delete(owner),
    /** The share of an owner in the rotation may have become smaller. */
    first: (): string | undefined => {
      for (const owner of rotation) {
        const [first] = queues.get(owner) ?? [];
        if (first && mayHold(owner, first.weight)) return owner;
        update(owner);
      }
      return undefined;
    },
  };
}
