import type { LimitDecision } from '@postroom/limits/limiter';
import { createDayCounts, type DayCountsStore } from '@postroom/mail-store/day-counts';
import type { KeyUseDocument, LimitReadingDocument } from '@postroom/mail-store/documents/usage';
import { repeat } from '@postroom/runtime/repeat';
import type { ServiceContext } from '@postroom/runtime/service';
import { createLatest } from './latest.ts';
import type { LatestStore } from './latest-store.ts';

/** An answered call of a key that was let in. */
export interface AnsweredCall {
  workspaceId: string;
  keyId: string;
  /** Method and template of a route, from the closed list of routes. */
  endpoint: string;
  address: string;
  /** The last decision of the limiter, where it was asked. */
  decision: LimitDecision | undefined;
}

export interface Usage {
  /** Counts in memory: no request waits for it. */
  note(call: AnsweredCall): void;
  flush(): Promise<void>;
  close(): Promise<void>;
}

const HOUR_MS = 3_600_000;

/** The calls, and the values of which the last one counts. */
export interface UsageStores extends LatestStore {
  calls: DayCountsStore;
}

/** Calls of each key by route and hour, its last use, and how much of its plan a workspace has used. */
export function createUsage(
  stores: UsageStores,
  flushedEveryMs: number,
  { clock, ids, log }: Pick<ServiceContext, 'clock' | 'ids' | 'log'>,
): Usage {
  const calls = createDayCounts(stores.calls, { clock, ids });
  const uses = createLatest<KeyUseDocument>(stores.keepUses);
  const readings = createLatest<LimitReadingDocument>(stores.keepReadings);

  const flush = async (): Promise<void> => {
    // One that fails does not keep the others from being stored.
    const flushed = await Promise.allSettled([calls.flush(), uses.flush(), readings.flush()]);
    const failed = flushed.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  };
  const flushing = repeat(flush, {
    name: 'the flush of calls',
    everyMs: flushedEveryMs,
    firstAfterMs: flushedEveryMs,
    clock,
    log,
  });

  return {
    note({ workspaceId, keyId, endpoint, address, decision }) {
      const at = clock.date();
      const hour = Math.floor(at.getTime() / HOUR_MS) % 24;
      calls.add(workspaceId, keyId, `${endpoint} ${hour}`, 1);
      uses.note(keyId, { _id: keyId, workspaceId, last: { at, address } });
      if (decision) readings.note(workspaceId, { _id: workspaceId, workspaceId, last: readingOf(decision, at) });
    },
    flush,
    close: async () => {
      await flushing.close();
      await flush().catch((error: unknown) => log.warn({ err: error }, 'the last calls are not stored; they are lost'));
    },
  };
}

function readingOf({ minute, month }: LimitDecision, at: Date): LimitReadingDocument['last'] {
  return {
    at,
    minuteUsed: minute.limit - minute.remaining,
    minuteEnds: new Date(minute.resetAt * 1_000),
    monthUsed: month.used,
    monthEnds: new Date(month.resetAt * 1_000),
  };
}
