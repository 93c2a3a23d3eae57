import { extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { ApiError } from '@postroom/errors/api-error';
import type { Call } from '@postroom/rpc/call';
import { sanitise } from './sanitise.ts';

export interface Sanitiser {
  /** The html as it may be shown, or null where its sender made something that cannot be read in time. */
  clean(html: string, call: Pick<Call, 'remainingMs'>): Promise<string | null>;
  close(): Promise<void>;
}

/** What is this short is done before a thread would have heard of it. */
const SHORT = 8_192;
const LIMIT_MS = 4_000;
const HEAP_MB = 256;

/**
 * Large html is cleaned in a thread, one after the other, so that no email holds up the calls of others. One that
 * takes too long or too much ends its thread and is shown as text alone; the next begins in a new one.
 */
export function createSanitiser(start: () => Worker = startWorker, limitMs = LIMIT_MS): Sanitiser {
  let worker: Worker | undefined;
  let queue: Promise<unknown> = Promise.resolve();

  const cleanInThread = async (html: string, { remainingMs }: Pick<Call, 'remainingMs'>) => {
    if (remainingMs() <= 1) throw new ApiError('QUERY_TIMEOUT');
    const thread = (worker ??= started(start));
    const cleaned = await answerOf(thread, html, Math.min(limitMs, remainingMs()));
    if (cleaned !== null) return cleaned;
    worker = undefined;
    await thread.terminate();
    return null;
  };

  return {
    clean: (html, call) => {
      if (html.length <= SHORT) return Promise.resolve(sanitise(html));
      const turn = queue.then(() => cleanInThread(html, call));
      queue = turn.catch(() => undefined);
      return turn;
    },
    close: async () => {
      await worker?.terminate();
    },
  };
}

function started(start: () => Worker): Worker {
  const worker = start();
  // A thread that fails while it rests is noticed at its next turn; unheard, its error would end the process.
  worker.on('error', () => undefined);
  return worker;
}

/** The listeners of the thread itself stay: without them it hears of no second turn. */
function answerOf(thread: Worker, html: string, limitMs: number): Promise<string | null> {
  return new Promise((resolve) => {
    const settle = (cleaned: string | null) => {
      clearTimeout(timer);
      thread.off('message', settle).off('error', giveUp).off('exit', giveUp);
      resolve(cleaned);
    };
    const giveUp = () => settle(null);
    const timer = setTimeout(giveUp, limitMs);
    thread.on('message', settle).on('error', giveUp).on('exit', giveUp);
    thread.postMessage(html);
  });
}

/** From the sources under tsx and jest, and from the built file beside this one elsewhere. */
function startWorker(): Worker {
  const extension = extname(__filename);
  const execArgv = extension === '.ts' ? ['--conditions=@postroom/source', '-r', require.resolve('tsx/cjs')] : [];
  const resourceLimits = { maxOldGenerationSizeMb: HEAP_MB };
  const worker = new Worker(join(__dirname, `sanitise-worker${extension}`), { execArgv, resourceLimits });
  worker.unref();
  return worker;
}
