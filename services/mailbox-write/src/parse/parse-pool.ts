import type { Log } from '@postroom/runtime/log';
import { createParseThread, type Death, type Job, type ParseThread } from './parse-thread.ts';
import { startWorker } from './start-worker.ts';
import type { ParseOutcome } from './worker-messages.ts';

export interface ParsePool {
  /**
   * Never throws for what is wrong with the message; throws when no parser can be started or the pool closes, and for
   * what has not begun when its caller gives up.
   */
  parse(raw: Uint8Array, signal?: AbortSignal): Promise<ParseOutcome>;
  close(): Promise<void>;
}

export interface ParsePoolOptions {
  threads: number;
  log: Log;
  /** Told each time a thread dies, with what killed it. */
  onDeath?: (death: Death) => void;
  start?: typeof startWorker;
}

/** Of messages larger than this one at a time is taken apart: each may take a good part of what the service has to spare. */
const HEAVY_BYTES = 1_000_000;
const isHeavy = ({ raw }: Job) => raw.byteLength > HEAVY_BYTES;
/** A suspect is tried all the same, so that it is found out. */
const isGivenUp = ({ signal, deaths }: Job) => deaths === 0 && signal?.aborted === true;

/** Jobs in their order. A large message waits while another is taken apart, and leaves when its caller has given up. */
function createLine() {
  const waiting: Job[] = [];
  let heavy: Job | undefined;

  const leave = (job: Job) => void waiting.splice(waiting.indexOf(job), 1);
  const first = () => (heavy ? waiting.find((job) => !isHeavy(job)) : waiting[0]);
  const next = () => {
    let job = first();
    // Asked for again, and left in line, large messages would be more with each time.
    for (; job && isGivenUp(job); job = first()) {
      leave(job);
      job.reject(job.signal?.reason as Error);
    }
    return job;
  };
  const isOver = (job: Job) => {
    if (heavy === job) heavy = undefined;
  };
  return {
    next,
    isOver,
    add: (job: Job) => void waiting.push(job),
    takeOut: (job: Job) => {
      leave(job);
      if (isHeavy(job)) heavy = job;
    },
    putBack: (jobs: Job[]) => {
      jobs.forEach(isOver);
      waiting.unshift(...jobs);
    },
    failAll: (error: Error) => {
      for (const job of waiting.splice(0)) job.reject(error);
    },
  };
}

/** Taking mail apart in threads that may die: the message that killed one is refused, every other is tried again. */
export function createParsePool({ threads, log, onDeath, start = startWorker }: ParsePoolOptions): ParsePool {
  const line = createLine();
  let nextId = 1;
  let isClosed = false;

  const pump = () => {
    for (const thread of pool) {
      for (let job = line.next(); job && thread.takes(job); job = line.next()) {
        line.takeOut(job);
        thread.give(job);
      }
    }
  };
  const comeBack = (jobs: Job[]) => {
    line.putBack(jobs);
    pump();
  };
  const pool: ParseThread[] = Array.from({ length: threads }, () =>
    createParseThread({ log, start, pump, comeBack, failAll: line.failAll, onDeath: onDeath ?? (() => undefined) }),
  );

  return {
    parse: (raw, signal) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the parsers are closed'));
        const job: Job = {
          id: nextId++,
          raw,
          signal,
          resolve: (outcome) => {
            line.isOver(job);
            resolve(outcome);
          },
          reject,
          deaths: 0,
        };
        line.add(job);
        pump();
      }),
    close: async () => {
      isClosed = true;
      line.failAll(new Error('the parsers are closed'));
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}
