import { createHash } from 'node:crypto';
import type { Worker } from 'node:worker_threads';
import { ApiError } from '@postroom/errors/api-error';
import type { Call } from '@postroom/rpc/call';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import { openCleaningThread, startCleaningWorker, type CleaningThread } from './cleaning-thread.ts';
import { type Images, sanitise, TooMuch } from './sanitise.ts';

export type { Images } from './sanitise.ts';

export interface Sanitiser {
  /** The html as it may be shown, or null where its sender made something that cannot be read in time. */
  clean(html: string, call: Pick<Call, 'workspaceId' | 'remainingMs'>, images?: Images): Promise<string | null>;
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
const MOST_REMEMBERED = 10_000;

/**
 * Large html is cleaned in threads, in rotation between workspaces, so that no email delays the calls of others. Html that
 * takes too much time or memory ends its thread. From then on it is shown as text alone.
 */
export function createSanitiser({ start = startCleaningWorker, limitMs = LIMIT_MS }: Deps = {}): Sanitiser {
  const limit = createFairLimit({ total: THREADS, perOwner: 1 });
  const tooMuch = createMemory();
  const idle: CleaningThread[] = [];
  const all = new Set<CleaningThread>();
  let closed = false;

  const freeThread = (): CleaningThread => {
    const rested = idle.pop();
    if (rested?.isAlive()) return rested;
    if (rested) all.delete(rested);
    const thread = openCleaningThread(start());
    all.add(thread);
    return thread;
  };

  const cleanOnce = async (html: string, images: Images, ms: number) => {
    const thread = freeThread();
    const cleaned = await thread.clean(html, images, ms);
    if (thread.isAlive()) idle.push(thread);
    else all.delete(thread);
    return cleaned;
  };

  const cleanInThread = async (html: string, images: Images, { remainingMs }: Pick<Call, 'remainingMs'>) => {
    if (closed || remainingMs() <= 1) throw new ApiError('QUERY_TIMEOUT');
    // A waiter of the same queue may have its answer already.
    if (tooMuch.has(html)) return null;
    const left = remainingMs();
    const once = () => cleanOnce(html, images, Math.min(limitMs, left));
    const first = await once();
    // A thread may have ended of what it read before.
    const cleaned = first === 'dead' && !closed ? await once() : first;
    if (typeof cleaned === 'object') return cleaned.html;
    // The caller had too little time, which tells nothing about the html.
    if (cleaned === 'late' && left < limitMs) throw new ApiError('QUERY_TIMEOUT');
    tooMuch.add(html);
    return null;
  };

  return {
    clean: async (html, call, images = 'carried') => {
      if (html.length <= SHORT) return cleanHere(html, images);
      if (tooMuch.has(html)) return null;
      return limit.run(call.workspaceId, () => cleanInThread(html, images, call));
    },
    close: async () => {
      closed = true;
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}

function cleanHere(html: string, images: Images): string | null {
  try {
    return sanitise(html, images);
  } catch (error) {
    if (error instanceof TooMuch) return null;
    throw error;
  }
}

/** By digest, so that many copies of one mailing are one; the oldest are forgotten. Empty, as mostly, it costs nothing. */
function createMemory() {
  const digests = new Set<string>();
  const digestOf = (html: string) => createHash('sha256').update(html).digest('base64');
  return {
    has: (html: string) => digests.size > 0 && digests.has(digestOf(html)),
    add: (html: string) => {
      digests.add(digestOf(html));
      const [oldest] = digests;
      if (digests.size > MOST_REMEMBERED && oldest !== undefined) digests.delete(oldest);
    },
  };
}
