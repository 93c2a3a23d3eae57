import { encodeEvent } from '@postroom/events/event';
import type { MailboxDocument, SyncPart } from '@postroom/mail-store/documents/mailbox';
import type { Outbox } from '@postroom/mail-store/documents/outbox';
import type { ServiceContext } from '@postroom/runtime/service';

interface SyncFailure {
  cause: string;
  /** The server refused the login. */
  isRefusal: boolean;
}

/** One refusal proves little: servers refuse good logins, too, while a part of them is unavailable. */
const MOST_REFUSALS = 3;
const REFUSED_FOR_MS = 10 * 60_000;
const MOST_FAILURES = 50;
const FAILED_FOR_MS = 3 * 86_400_000;
const LONGEST_CAUSE = 300;

export const beforeAnySync: SyncPart = {
  epoch: 0,
  revision: 0,
  failCount: 0,
  failingSince: null,
  refusals: 0,
  refusedSince: null,
  lastError: null,
  lastFailedAt: null,
};

/** Nothing of what failed before counts any more. */
export function afterSuccess({ epoch, revision }: SyncPart): SyncPart {
  return { ...beforeAnySync, epoch, revision };
}

export function afterFailure(before: SyncPart, { cause, isRefusal }: SyncFailure, now: Date): SyncPart {
  return {
    ...before,
    failCount: before.failCount + 1,
    failingSince: before.failingSince ?? now,
    refusals: before.refusals + (isRefusal ? 1 : 0),
    refusedSince: before.refusedSince ?? (isRefusal ? now : null),
    lastError: cause.replaceAll(/\p{Cc}+/gu, ' ').slice(0, LONGEST_CAUSE),
    lastFailedAt: now,
  };
}

/** Whether trying further would only annoy the provider: it refuses for good, or has failed for days. */
export function isHopeless({ refusals, refusedSince, failCount, failingSince }: SyncPart, now: Date): boolean {
  const since = (moment: Date | null) => (moment ? now.getTime() - moment.getTime() : 0);
  if (refusals >= MOST_REFUSALS && since(refusedSince) >= REFUSED_FOR_MS) return true;
  return failCount >= MOST_FAILURES && since(failingSince) >= FAILED_FOR_MS;
}

/** A change of a mailbox and its pending events, in one write. */
export interface MailboxChange {
  set: Partial<Pick<MailboxDocument, 'status' | 'folders' | 'lastSyncedAt'>> & { sync: SyncPart };
  events: Outbox;
  at: Date;
}

/** The most failed attempts whose events wait while nothing can be published. */
const MOST_UNTOLD = 64;

/** One failed attempt more, which may be the last; `isFinal` where no further one can go well. */
export function changeOfFailure(
  { _id: mailboxId, workspaceId, sync: before }: Pick<MailboxDocument, '_id' | 'workspaceId' | 'sync'>,
  failure: SyncFailure & { isFinal?: boolean },
  { clock, ids }: Pick<ServiceContext, 'clock' | 'ids'>,
): MailboxChange {
  const now = clock.date();
  const sync = afterFailure(before ?? beforeAnySync, failure, now);
  const deactivated = failure.isFinal === true || isHopeless(sync, now);
  const data = { mailboxId, error: sync.lastError ?? '', failCount: sync.failCount, deactivated };
  const about = { id: ids('evt'), type: 'mailbox.sync_failed', workspaceId, occurredAt: now } as const;
  return {
    set: { sync, ...(deactivated && { status: 'disconnected' as const }) },
    events: { [`syncFailed${sync.failCount % MOST_UNTOLD}`]: encodeEvent({ ...about, data }) },
    at: now,
  };
}
