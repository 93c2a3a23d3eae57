import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { HtmlTask, Result } from './html-task.ts';

/** `unreadable`: it is of a kind that is not read at all; `late`: the time was up; `dead`: the thread ended of it. */
export type Done<T extends HtmlTask> = { result: Result<T> } | 'unreadable' | 'late' | 'dead';

export interface HtmlThread {
  run<T extends HtmlTask>(task: T, limitMs: number): Promise<Done<T>>;
  /** False once it has ended for any reason. */
  isAlive(): boolean;
  end(): Promise<void>;
}

const HEAP_MB = 128;

/** One thread that works on one html at a time; one that is late takes its thread with it. */
export function openHtmlThread(worker: Worker): HtmlThread {
  let alive = true;
  let respond: ((done: Done<HtmlTask>) => void) | undefined;
  const end = async (outcome: 'late' | 'dead' = 'dead') => {
    alive = false;
    respond?.(outcome);
    await worker.terminate();
  };
  worker.on('message', (result: Result<HtmlTask> | null) => respond?.(result === null ? 'unreadable' : { result }));
  // Unheard, an error would end the process; what follows it is the exit.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    alive = false;
    respond?.('dead');
  });

  return {
    run: <T extends HtmlTask>(task: T, limitMs: number) =>
      new Promise<Done<T>>((resolve) => {
        const timer = setTimeout(() => void end('late'), limitMs);
        respond = (done) => {
          clearTimeout(timer);
          respond = undefined;
          resolve(done as Done<T>);
        };
        if (alive) worker.postMessage(task);
        else respond('dead');
      }),
    isAlive: () => alive,
    end: () => end(),
  };
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
