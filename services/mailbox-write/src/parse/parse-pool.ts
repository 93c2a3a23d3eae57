import type { Worker } from 'node:worker_threads';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Log } from '@postroom/runtime/log';
import { startWorker } from '@postroom/runtime/worker-thread';
import { createParseThread, type Death, type Job, type ParseThread } from './parse-thread.ts';
import type { ParseOutcome } from './worker-messages.ts';

export interface ParsePool {
  /**
   * Never throws for what is wrong with the message; throws when no parser can be started or the pool closes, and for
   * what has not begun when its caller gives up. Owners are served in rotation.
   */
  parse(raw: Uint8Array, owner: string, signal?: AbortSignal): Promise<ParseOutcome>;
  close(): Promise<void>;
}

interface ParsePoolOptions {
  threads: number;
  log: Log;
  /** Told each time a thread dies, with what killed it. */
  onDeath?: (death: Death) => void;
  start?: () => Worker;
}

/** One message larger than this is parsed at a time: each may take a good part of what the service has to spare. */
const HEAVY_BYTES = 1_000_000;
/** Enough for each thread to have the next message at hand. */
const AHEAD = 4;

/** The old generation has most of the 256 MB that one message may cost; the bytes of the message are not on this heap. */
const RESOURCES = { maxOldGenerationSizeMb: 144, maxYoungGenerationSizeMb: 32, stackSizeMb: 4 };
const startParser = () => startWorker(__dirname, 'parse-worker', RESOURCES);

/** No owner has more than half of what the threads work on, and a large message waits for its permit outside of that. */
function createAdmission(threads: number) {
  const total = AHEAD * threads;
  const all = createFairLimit({ total, perOwner: total / 2 });
  const heavy = createFairLimit({ total: 1 });
  return <T>(raw: Uint8Array, owner: string, work: () => Promise<T>): Promise<T> => {
    const admitted = () => all.run(owner, work);
    return raw.byteLength > HEAVY_BYTES ? heavy.run(owner, admitted) : admitted();
  };
}

/** A suspect is tried all the same, so that it is found out. */
const isGivenUp = ({ signal, deaths }: Job) => deaths === 0 && signal?.aborted === true;

/** Jobs in their order. A job leaves the queue when its caller has given up before it began. */
function createQueue() {
  const waiting: Job[] = [];
  const next = () => {
    for (let [job] = waiting; job && isGivenUp(job); [job] = waiting) {
      waiting.shift();
      job.reject(job.signal?.reason as Error);
    }
    return waiting[0];
  };
  return {
    next,
    add: (job: Job) => void waiting.push(job),
    takeOut: () => void waiting.shift(),
    putBack: (jobs: Job[]) => void waiting.unshift(...jobs),
    failAll: (error: Error) => {
      for (const job of waiting.splice(0)) job.reject(error);
    },
  };
}

/** The share of one owner is to keep all threads busy, so that none has work ahead while another has none. */
function idlest(pool: readonly ParseThread[], job: Job): ParseThread | undefined {
  return pool.filter((thread) => thread.takes(job)).toSorted((one, other) => one.ahead() - other.ahead())[0];
}

/** Taking mail apart in threads that may die: the message that killed one is refused, every other is tried again. */
export function createParsePool({ threads, log, onDeath, start = startParser }: ParsePoolOptions): ParsePool {
  const queue = createQueue();
  const admit = createAdmission(threads);
  let nextId = 1;
  let isClosed = false;

  const pump = () => {
    for (let job = queue.next(); job; job = queue.next()) {
      const thread = idlest(pool, job);
      if (!thread) return;
      queue.takeOut();
      thread.give(job);
    }
  };
  const comeBack = (jobs: Job[]) => {
    queue.putBack(jobs);
    pump();
  };
  const pool: ParseThread[] = Array.from({ length: threads }, () =>
    createParseThread({ log, start, pump, comeBack, failAll: queue.failAll, onDeath: onDeath ?? (() => undefined) }),
  );

  const begin = (raw: Uint8Array, signal: AbortSignal | undefined) =>
    new Promise<ParseOutcome>((resolve, reject) => {
      if (isClosed) return reject(new Error('the parsers are closed'));
      queue.add({ id: nextId++, raw, signal, resolve, reject, deaths: 0 });
      pump();
    });

  return {
    parse: (raw, owner, signal) => admit(raw, owner, () => begin(raw, signal)),
    close: async () => {
      isClosed = true;
      queue.failAll(new Error('the parsers are closed'));
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}
