import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import { LRUCache } from 'lru-cache';
import type { Known } from './caller.ts';
import type { Services } from './services.ts';

export interface KeyDirectory {
  /** What is known of a key by the hash of its secret; undefined where no key has it. */
  resolve(secretHash: string, requestId: string): Promise<Known | undefined> | Known | undefined;
}

interface Entry {
  known: Known | undefined;
  /** When the workspace service last said so. */
  confirmedAt: number;
  /** When to ask again. */
  askAgainAt: number;
}

/** How long an answer is taken for granted: a revocation is felt after this. */
const FRESH_MS = 5_000;
/** A key that was just created is often tried at once, so "unknown" is believed for a moment only. */
const UNKNOWN_FRESH_MS = 1_000;
/** The contract's minute, less the longest that one question takes: past it an unreachable service means refusal. */
const STALE_MS = 55_000;
const ASK_LIMIT_MS = 2_000;
/** While the service does not answer, one request in this time pays for asking; the others take what is known. */
const RETRY_MS = 1_000;
const MAX_KEYS = 20_000;

interface Deps {
  workspace: Pick<Services['workspace'], 'resolveKey'>;
  clock: Clock;
  log: Log;
}

/** Remembers keys for seconds, so that checking one costs no call, and a minute at most while nobody can be asked. */
export function createKeyDirectory({ workspace, clock, log }: Deps): KeyDirectory {
  const known = new LRUCache<string, Entry>({ max: MAX_KEYS });
  // Made-up keys have a place of their own, where they cannot push out the good ones.
  const unknown = new LRUCache<string, Entry>({ max: MAX_KEYS });
  const asking = new Map<string, Promise<Entry>>();

  const ask = async (hash: string, requestId: string): Promise<Entry> => {
    const askedAt = clock.now();
    const deadline = askedAt + ASK_LIMIT_MS;
    const { key, workspace: home } = await workspace.resolveKey({ secretHash: hash }, { requestId, deadline });
    const found = key && home ? { key, workspace: home } : undefined;
    const freshFor = found ? FRESH_MS : UNKNOWN_FRESH_MS;
    // Counted from the question, not the answer: what changed in between must not live longer.
    const entry = { known: found, confirmedAt: askedAt, askAgainAt: askedAt + freshFor };
    (found ? known : unknown).set(hash, entry);
    (found ? unknown : known).delete(hash);
    return entry;
  };

  const askOnce = (hash: string, requestId: string): Promise<Entry> => {
    const pending = asking.get(hash) ?? ask(hash, requestId).finally(() => asking.delete(hash));
    asking.set(hash, pending);
    return pending;
  };

  const refresh = async (hash: string, requestId: string, stale: Entry | undefined): Promise<Known | undefined> => {
    try {
      return (await askOnce(hash, requestId)).known;
    } catch (error) {
      const now = clock.now();
      if (!stale || now - stale.confirmedAt > STALE_MS) throw new ApiError('INTERNAL_ERROR', { cause: error });
      log.warn({ err: error, requestId }, 'keys cannot be checked, the last answer is used');
      stale.askAgainAt = now + RETRY_MS;
      return stale.known;
    }
  };

  return {
    resolve: (hash, requestId) => {
      const entry = known.get(hash) ?? unknown.get(hash);
      const now = clock.now();
      if (entry && now < entry.askAgainAt && now - entry.confirmedAt <= STALE_MS) return entry.known;
      return refresh(hash, requestId, entry);
    },
  };
}
