import type { Writes } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isDuplicate } from '@postroom/mail-store/duplicate';
import { outboxUpdate } from '@postroom/mail-store/outbox';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';
import { workspaceItems } from '@postroom/mail-store/workspace-items';
import { beforeAnySync, type MailboxChange } from '../sync-state/sync-state.ts';

const { epoch: _epoch, revision: _revision, ...noFailure } = beforeAnySync;
const NO_FAILURE = Object.fromEntries(Object.entries(noFailure).map(([name, value]) => [`sync.${name}`, value]));

export function createMailboxStore({ mailboxes }: Writes<'mailboxes'>) {
  const { list, find } = workspaceItems(mailboxes);
  return {
    list,
    find,

    /** Null when the workspace has a mailbox of this address already. */
    insert: async (
      workspaceId: string,
      fields: Omit<MailboxDocument, 'workspaceId'>,
    ): Promise<MailboxDocument | null> => {
      const mailbox = { workspaceId, ...fields };
      try {
        await mailboxes.create(mailbox);
        return mailbox;
      } catch (error) {
        if (isDuplicate(error, 'workspace_email')) return null;
        throw error;
      }
    },

    setStatus: (workspaceId: string, mailboxId: string, status: MailboxDocument['status'], budget: TimeBudget) =>
      mailboxes
        .findOneAndUpdate(
          { _id: mailboxId, workspaceId },
          // Earlier failures no longer count, and a report about a running attempt comes too late.
          { $set: { status, ...(status === 'active' && NO_FAILURE) }, $inc: { 'sync.revision': 1 } },
          { returnDocument: 'after', ...timeLimit(budget) },
        )
        .lean<MailboxDocument | null>(),

    /** One write for the change and its pending events; null when the mailbox changed since it was read. */
    change: (
      workspaceId: string,
      { _id, sync }: Pick<MailboxDocument, '_id' | 'sync'>,
      change: MailboxChange,
      budget: TimeBudget,
    ) => {
      const revision = sync?.revision ?? 0;
      // Mailboxes of older versions have none.
      const seen = { _id, workspaceId, 'sync.revision': revision === 0 ? { $in: [0, null] } : revision };
      return mailboxes
        .findOneAndUpdate(seen, updateOf(change, revision + 1), { returnDocument: 'after', ...timeLimit(budget) })
        .lean<MailboxDocument | null>();
    },
  };
}

function updateOf({ set, events, at }: MailboxChange, revision: number) {
  const pending = outboxUpdate(events, at);
  return {
    $set: { ...set, ...pending.$set, sync: { ...set.sync, revision } },
    ...(pending.$min && { $min: pending.$min }),
  };
}

export type MailboxStore = ReturnType<typeof createMailboxStore>;
