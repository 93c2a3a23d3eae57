import type { Log } from '@postroom/runtime/log';
import { createParseThread, type Death, type Job, type ParseThread } from './parse-thread.ts';
import { startWorker } from './start-worker.ts';
import type { ParseOutcome } from './worker-messages.ts';

export interface ParsePool {
  /** Never throws for what is wrong with the message; throws when no parser can be started or the pool closes. */
  parse(raw: Uint8Array): Promise<ParseOutcome>;
  close(): Promise<void>;
}

export interface ParsePoolOptions {
  threads: number;
  log: Log;
  /** Told each time a thread dies, with what killed it. */
  onDeath?: (death: Death) => void;
  start?: typeof startWorker;
}

/** Taking mail apart in threads that may die: the message that killed one is refused, every other is tried again. */
export function createParsePool({ threads, log, onDeath, start = startWorker }: ParsePoolOptions): ParsePool {
  const waiting: Job[] = [];
  let nextId = 1;
  let isClosed = false;

  const pump = () => {
    for (const thread of pool) {
      while (waiting[0] && thread.takes(waiting[0])) thread.give(waiting.shift() as Job);
    }
  };
  const comeBack = (jobs: Job[]) => {
    waiting.unshift(...jobs);
    pump();
  };
  const failAll = (error: Error) => {
    for (const job of waiting.splice(0)) job.reject(error);
  };
  const pool: ParseThread[] = Array.from({ length: threads }, () =>
    createParseThread({ log, start, pump, comeBack, failAll, onDeath: onDeath ?? (() => undefined) }),
  );

  return {
    parse: (raw) =>
      new Promise((resolve, reject) => {
        if (isClosed) return reject(new Error('the parsers are closed'));
        waiting.push({ id: nextId++, raw, resolve, reject, deaths: 0 });
        pump();
      }),
    close: async () => {
      isClosed = true;
      failAll(new Error('the parsers are closed'));
      await Promise.all(pool.map((thread) => thread.close()));
    },
  };
}
