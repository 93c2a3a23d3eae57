import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import { createFairLimit } from '@postroom/runtime/fair-limit';
import type { Log } from '@postroom/runtime/log';
import { createRecentMap } from '@postroom/runtime/recent-map';
import type { Known } from './caller.ts';
import { RefusalWithHeaders, tooBusy } from '../response/answer.ts';

export interface KeyDirectory {
  /** The known facts about a key by the hash of its secret; undefined when no key has it. */
  resolve(secretHash: string, requestId: string): Promise<Known | undefined> | Known | undefined;
}

interface Entry {
  known: Known | undefined;
  /** The time of the last answer of the workspace service. */
  confirmedAt: number;
  /** The time of the next refresh. */
  askAgainAt: number;
}

/** The time for which an answer is used. A revocation takes effect after it. */
const FRESH_MS = 5_000;
/** A key that was just created is often tried at once, so "unknown" is believed for a moment only. */
const UNKNOWN_FRESH_MS = 1_000;
/** The contract's minute, less the longest that one question takes: past it an unreachable service means refusal. */
const STALE_MS = 55_000;
const ASK_LIMIT_MS = 2_000;
/** An unknown key is asked at another pod when one does not answer, all within the time of a request. */
const ASKS = 3;
/** An answer takes milliseconds. After this time, callers with a known key no longer wait for the service. */
const HANGS_MS = 250;
/** While the service does not answer, one request in this time pays for asking; the others take what is known. */
const RETRY_MS = 1_000;
const MAX_KEYS = 20_000;
/** Unknown keys are looked up a few at a time, because anybody can invent them. */
const STRANGERS = { total: 64, mostWaiting: 2_000, refusal: tooBusy };
/** Strangers cannot be told apart, so all of them share one queue. */
const ANY_STRANGER = 'stranger';

interface KeyDirectoryDeps {
  /** Asks the service that knows the secrets; undefined where none of them has the hash. */
  find(secretHash: string, context: { requestId: string; deadline: number }): Promise<Known | undefined>;
  clock: Clock;
  log: Log;
}

/** Caches keys for seconds, so that a check costs no call, and for a minute at most while the service is unavailable. */
export function createKeyDirectory({ find, clock, log }: KeyDirectoryDeps): KeyDirectory {
  // A key in use is asked about again every few seconds, so those that go are out of use.
  const known = createRecentMap<Entry>(MAX_KEYS);
  // Unknown keys have a cache of their own, so that they cannot evict valid ones.
  const unknown = createRecentMap<Entry>(MAX_KEYS);
  const lookup = createLookup(find, clock);
  const strangers = createFairLimit(STRANGERS);
  let askNobodyUntil = 0;

  const ask = async (hash: string, requestId: string): Promise<Entry> => {
    const askedAt = clock.now();
    const askOnce = () => lookup.ask(hash, { requestId, deadline: askedAt + ASK_LIMIT_MS });
    const found = await (known.has(hash) ? askOnce() : strangers.run(ANY_STRANGER, askOnce));
    const freshFor = found ? FRESH_MS : UNKNOWN_FRESH_MS;
    // Counted from the question, not the answer: what changed in between must not live longer.
    const entry = { known: found, confirmedAt: askedAt, askAgainAt: askedAt + freshFor };
    (found ? known : unknown).set(hash, entry);
    (found ? unknown : known).delete(hash);
    return entry;
  };
  const asking = new Map<string, Promise<Entry>>();
  const askOnce = (hash: string, requestId: string): Promise<Entry> => {
    const pending = asking.get(hash) ?? ask(hash, requestId).finally(() => asking.delete(hash));
    asking.set(hash, pending);
    return pending;
  };

  const refresh = async (hash: string, requestId: string, stale?: Entry, asks = ASKS): Promise<Known | undefined> => {
    try {
      return (await askOnce(hash, requestId)).known;
    } catch (error) {
      if (error instanceof RefusalWithHeaders) throw error;
      if (!stale || !isUsable(stale, clock.now())) {
        if (isTooLate(error) && asks > 1) return refresh(hash, requestId, stale, asks - 1);
        throw isTooLate(error) ? tooBusy() : new ApiError('INTERNAL_ERROR', { cause: error });
      }
      log.warn({ err: error, requestId }, 'keys cannot be checked, the last answer is used');
      askNobodyUntil = clock.now() + RETRY_MS;
      return stale.known;
    }
  };

  return {
    resolve: (hash, requestId) => {
      const entry = known.get(hash) ?? unknown.get(hash);
      const now = clock.now();
      if (!entry || !isUsable(entry, now)) return refresh(hash, requestId, entry);
      if (now < entry.askAgainAt) return entry.known;
      // Another request asks already, or the service is unavailable: the cached answer is good for a minute.
      const isInVain = now < askNobodyUntil || lookup.waitsFor(now) > HANGS_MS;
      if (entry.known && (isInVain || asking.has(hash))) return entry.known;
      return refresh(hash, requestId, entry);
    },
  };
}

function isTooLate(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'QUERY_TIMEOUT';
}

/** A time in the future means that the clock was set back, so the age of the answer is unknown. */
function isUsable({ confirmedAt }: Entry, now: number): boolean {
  return now - confirmedAt <= STALE_MS && confirmedAt - now <= FRESH_MS;
}

interface Lookup {
  ask(secretHash: string, context: { requestId: string; deadline: number }): Promise<Known | undefined>;
  /** For how long the oldest question has been without an answer. */
  waitsFor(now: number): number;
}

function createLookup(find: KeyDirectoryDeps['find'], clock: Clock): Lookup {
  const open = new Set<{ since: number }>();
  return {
    ask: async (secretHash, context) => {
      const question = { since: clock.now() };
      // A caller that waited in the queue for too long does not ask any more.
      if (question.since > context.deadline) throw tooBusy();
      open.add(question);
      try {
        return await find(secretHash, context);
      } finally {
        open.delete(question);
      }
    },
    waitsFor: (now) => now - (open.values().next().value?.since ?? now),
  };
}
