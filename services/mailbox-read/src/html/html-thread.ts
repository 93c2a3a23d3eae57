import { createHash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { ApiError } from '@postroom/errors/api-error';
import type { Call } from '@postroom/rpc/call';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { openWorkerThread, type Outcome, startWorker, type WorkerThread } from '@postroom/runtime/worker-thread';
import { type HtmlTask, type HtmlText, type Result, runHtmlTask } from './html-task.ts';
import type { Images } from './sanitise.ts';

export type { Images } from './sanitise.ts';

type Within = Pick<Call, 'workspaceId' | 'remainingMs'>;

export interface Sanitiser {
  /** The html as it may be shown, or null where its sender made something that cannot be read in time. */
  clean(html: string, call: Within, images?: Images): Promise<string | null>;
  /** The same of its text. */
  readText(html: string, call: Within): Promise<HtmlText | null>;
  close(): Promise<void>;
}

interface Deps {
  start?: () => Worker;
  limitMs?: number;
}

/** Html this short is done before a thread could receive it. */
const SHORT = 8_192;
const LIMIT_MS = 4_000;
const THREADS = 2;
const HEAP_MB = 128;
const MOST_REMEMBERED = 10_000;

/**
 * Large html is cleaned and read in threads, in rotation between workspaces, so that no email delays the calls of others. Html that
 * takes too much time or memory ends its thread. From then on it is shown as text alone.
 */
export function createSanitiser({ start = startHtmlWorker, limitMs = LIMIT_MS }: Deps = {}): Sanitiser {
  const limit = createFairLimit({ total: THREADS, perOwner: 1 });
  const tooMuch = createMemory();
  const threads = createThreads(start);

  const runInThread = async <T extends HtmlTask>(task: T, { remainingMs }: Within): Promise<Result<T> | null> => {
    const { html } = task;
    if (threads.isClosed() || remainingMs() <= 1) throw new ApiError('QUERY_TIMEOUT');
    // A waiter of the same queue may have its answer already.
    if (tooMuch.has(html)) return null;
    const once = () => threads.run(task, limitMs, remainingMs);
    const first = await once();
    // A thread may have ended of what it read before, or while it loaded its code.
    const isRepeated = (first === 'dead' || first === 'unloaded') && !threads.isClosed();
    const done = isRepeated ? await once() : first;
    if (typeof done === 'object' && done.answer !== null) return done.answer;
    // The caller had too little time, no thread could start, or all were closed. None of it tells anything about the html.
    if (done === 'cut' || done === 'unloaded' || threads.isClosed()) throw new ApiError('QUERY_TIMEOUT');
    tooMuch.add(html);
    return null;
  };

  const run = async <T extends HtmlTask>(task: T, call: Within): Promise<Result<T> | null> => {
    if (task.html.length <= SHORT) return runHtmlTask(task);
    if (tooMuch.has(task.html)) return null;
    return limit.run(call.workspaceId, () => runInThread(task, call));
  };

  return {
    clean: (html, call, images = 'carried') => run({ html, images }, call),
    readText: (html, call) => run({ html, asText: true }, call),
    close: threads.close,
  };
}

/** The answer is null for html of a kind that is not read at all. */
type HtmlThread = WorkerThread<HtmlTask, Result<HtmlTask> | null>;

/** Threads that rest until they are needed again. One that has ended is replaced. */
function createThreads(start: () => Worker) {
  const idle: HtmlThread[] = [];
  const all = new Set<HtmlThread>();
  let closed = false;

  const freeThread = (): HtmlThread => {
    const rested = idle.pop();
    if (rested?.isAlive()) return rested;
    if (rested) all.delete(rested);
    const thread = openWorkerThread<HtmlTask, Result<HtmlTask> | null>(start());
    all.add(thread);
    return thread;
  };

  return {
    run: async <T extends HtmlTask>(task: T, limitMs: number, remainingMs: () => number) => {
      const thread = freeThread();
      const done = await thread.ask(task, { ms: limitMs, remainingMs });
      if (thread.isAlive()) idle.push(thread);
      else all.delete(thread);
      return done as Outcome<Result<T> | null>;
    },
    isClosed: () => closed,
    close: async () => {
      closed = true;
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}

function startHtmlWorker(): Worker {
  const worker = startWorker(__dirname, 'html-worker', { maxOldGenerationSizeMb: HEAP_MB });
  worker.unref();
  return worker;
}

/** By digest, so that many copies of one mailing are one; the oldest are forgotten. Empty, as mostly, it costs nothing. */
function createMemory() {
  const digests = createRecentIds(MOST_REMEMBERED);
  let isEmpty = true;
  const digestOf = (html: string) => createHash('sha256').update(html).digest('base64');
  return {
    has: (html: string) => !isEmpty && digests.has(digestOf(html)),
    add: (html: string) => {
      isEmpty = false;
      digests.add(digestOf(html));
    },
  };
}
