import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HtmlTask, Result } from './html-task.ts';

/**
 * `unreadable`: it is of a kind that is not read at all; `late`: the limit was up; `cut`: the caller's own time was up
 * before; `dead`: the thread ended of it.
 */
export type Done<T extends HtmlTask> = { result: Result<T> } | 'unreadable' | 'late' | 'cut' | 'dead';

export interface HtmlThread {
  /** The limit counts from when the thread has loaded its code. */
  run<T extends HtmlTask>(task: T, limitMs: number, remainingMs: () => number): Promise<Done<T>>;
  /** False once it has ended for any reason. */
  isAlive(): boolean;
  end(): Promise<void>;
}

/** The first message of a thread. */
export const READY = 'ready';
const HEAP_MB = 128;

/** One thread that works on one html at a time; one that is late takes its thread with it. */
export function openHtmlThread(worker: Worker): HtmlThread {
  let alive = true;
  let respond: ((done: Done<HtmlTask>) => void) | undefined;
  const begun = begunOf(worker);
  const end = async (outcome: 'late' | 'cut' | 'dead' = 'dead') => {
    alive = false;
    respond?.(outcome);
    await worker.terminate();
  };
  worker.on('message', (message: { result: Result<HtmlTask> | null } | typeof READY) => {
    if (message !== READY) respond?.(message.result === null ? 'unreadable' : { result: message.result });
  });
  // Unheard, an error would end the process; what follows it is the exit.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    alive = false;
    respond?.('dead');
  });

  return {
    run: async <T extends HtmlTask>(task: T, limitMs: number, remainingMs: () => number): Promise<Done<T>> => {
      if (!(await isOverWithin(begun, remainingMs()))) return 'cut';
      const left = remainingMs();
      return new Promise<Done<T>>((resolve) => {
        const timer = setTimeout(() => void end(left < limitMs ? 'cut' : 'late'), Math.min(limitMs, left));
        respond = (done) => {
          clearTimeout(timer);
          respond = undefined;
          resolve(done as Done<T>);
        };
        if (alive) worker.postMessage(task);
        else respond('dead');
      });
    },
    isAlive: () => alive,
    end: () => end(),
  };
}

/** Resolves when the thread has loaded its code, or has ended. */
const begunOf = (worker: Worker): Promise<void> =>
  new Promise((resolve) => {
    worker.once('message', () => resolve());
    worker.once('exit', () => resolve());
  });

function isOverWithin(work: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    void work.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** From the sources under tsx and jest, and from the built file beside this one elsewhere. */
export function startHtmlWorker(): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--conditions=@postroom/source', '-r', require.resolve('tsx/cjs')] : [];
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  const worker = new Worker(join(__dirname, `html-worker${extension}`), { execArgv, resourceLimits });
  worker.unref();
  return worker;
}
