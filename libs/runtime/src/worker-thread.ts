import { extname, join } from 'node:path';
import { parentPort, type ResourceLimits, Worker } from 'node:worker_threads';

/** Starts the file `name` of a folder as a thread: its source where this file is a source, and its built file elsewhere. */
export function startWorker(folder: string, name: string, resourceLimits: ResourceLimits): Worker {
  const extension = extname(__filename);
  const execArgv =
    extension === '.ts'
      ? ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')]
      : [];
  return new Worker(join(folder, `${name}${extension}`), { execArgv, resourceLimits });
}

/** Serves requests in a thread, one after the other. It is called once the thread has loaded its code. */
export function answerRequests<Q, A>(answer: (request: Q) => A): void {
  parentPort?.on('message', (request: Q) => parentPort?.postMessage({ answer: answer(request) }));
  parentPort?.postMessage(READY);
}

/** The first message of a thread. */
const READY = 'ready';

/**
 * `late`: the time for the request was up. `cut`: the caller's own time was up before. `dead`: the thread ended, by an error
 * or for want of memory. `unloaded`: it ended before it had loaded its code, which tells nothing about the request.
 */
export type Outcome<A> = { answer: A } | 'late' | 'cut' | 'dead' | 'unloaded';

interface AskLimits {
  /** It counts from when the thread has loaded its code, because a slow start tells nothing about the request. */
  ms: number;
  /** The caller's own time. */
  remainingMs?: () => number;
  signal?: AbortSignal;
}

export interface WorkerThread<Q, A> {
  /** One request at a time. A request that is late, or whose caller leaves, ends its thread. */
  ask(request: Q, limits: AskLimits): Promise<Outcome<A>>;
  /** False once it has ended for any reason. */
  isAlive(): boolean;
  end(): Promise<void>;
}

const LONGEST_MS = 2 ** 31 - 1;
/** A thread that has not loaded its code by then will not do so. */
const LOADING_MS = 60_000;

/** Runs work that may hang or need too much memory, so that it takes only its thread with it. */
export function openWorkerThread<Q, A>(worker: Worker, loadingMs = LOADING_MS): WorkerThread<Q, A> {
  let alive = true;
  let isLoaded = false;
  let respond: ((outcome: Outcome<A>) => void) | undefined;
  const ended = () => (isLoaded ? 'dead' : 'unloaded');
  const end = async (outcome: Outcome<A> = ended()) => {
    alive = false;
    respond?.(outcome);
    await worker.terminate();
  };
  const begun = begunOf(worker, loadingMs, () => void end());
  worker.on('message', (message: { answer: A } | typeof READY) => {
    if (message === READY) isLoaded = true;
    else respond?.(message);
  });
  // Without a listener an error would end the process. The exit follows it.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    alive = false;
    respond?.(ended());
  });

  const ask = (request: Q, { ms, remainingMs = () => LONGEST_MS, signal }: AskLimits) =>
    new Promise<Outcome<A>>((resolve, reject) => {
      signal?.throwIfAborted();
      const over = (outcome: Outcome<A>) => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', leave);
        respond = undefined;
        resolve(outcome);
      };
      const leave = () => {
        reject(signal?.reason as Error);
        void end();
      };
      signal?.addEventListener('abort', leave, { once: true });
      let timer = setTimeout(() => over('cut'), remainingMs());
      respond = over;
      void begun.then(() => {
        if (respond !== over) return;
        clearTimeout(timer);
        const left = remainingMs();
        timer = setTimeout(() => void end(left < ms ? 'cut' : 'late'), Math.min(ms, left));
        if (alive) worker.postMessage(request);
        else over(ended());
      });
    });
  return { ask, isAlive: () => alive, end: () => end() };
}

/** Resolves when the thread has loaded its code, or has ended. */
const begunOf = (worker: Worker, ms: number, onLate: () => void): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(onLate, ms).unref();
    const begin = () => {
      clearTimeout(timer);
      resolve();
    };
    worker.once('message', begin);
    worker.once('exit', begin);
  });
