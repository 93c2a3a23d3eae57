import { encodeEvent } from '@postroom/events/event';
import type { MailboxDocument, SyncPart } from '@postroom/mail-store/documents/mailbox';
import type { Outbox } from '@postroom/mail-store/documents/outbox';
import type { ServiceContext } from '@postroom/runtime/service';
import { afterFailure, beforeAnySync, isHopeless, type Failure } from './sync-state.ts';

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
  failure: Failure & { isFinal?: boolean },
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
