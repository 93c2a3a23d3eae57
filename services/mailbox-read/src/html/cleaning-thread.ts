import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Images } from './sanitise.ts';

/** `unreadable`: it is of a kind that is not read at all; `late`: the time was up; `dead`: the thread ended of it. */
export type Cleaned = { html: string } | 'unreadable' | 'late' | 'dead';

export interface CleaningThread {
  clean(html: string, images: Images, limitMs: number): Promise<Cleaned>;
  /** False once it has ended for any reason. */
  isAlive(): boolean;
  end(): Promise<void>;
}

const HEAP_MB = 128;

/** One thread that cleans one html at a time; one that is late takes its thread with it. */
export function openCleaningThread(worker: Worker): CleaningThread {
  let alive = true;
  let respond: ((cleaned: Cleaned) => void) | undefined;
  const end = async (outcome: Cleaned = 'dead') => {
    alive = false;
    respond?.(outcome);
    await worker.terminate();
  };
  worker.on('message', (html: string | null) => respond?.(html === null ? 'unreadable' : { html }));
  // Unheard, an error would end the process; what follows it is the exit.
  worker.on('error', () => undefined);
  worker.on('exit', () => {
    alive = false;
    respond?.('dead');
  });

  return {
    clean: (html, images, limitMs) =>
      new Promise((resolve) => {
        const timer = setTimeout(() => void end('late'), limitMs);
        respond = (cleaned) => {
          clearTimeout(timer);
          respond = undefined;
          resolve(cleaned);
        };
        if (alive) worker.postMessage({ html, images });
        else respond('dead');
      }),
    isAlive: () => alive,
    end: () => end(),
  };
}

/** From the sources under tsx and jest, and from the built file beside this one elsewhere. */
export function startCleaningWorker(): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--conditions=@postroom/source', '-r', require.resolve('tsx/cjs')] : [];
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  const worker = new Worker(join(__dirname, `sanitise-worker${extension}`), { execArgv, resourceLimits });
  worker.unref();
  return worker;
}
