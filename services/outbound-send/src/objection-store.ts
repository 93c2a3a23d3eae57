import type { Collections } from '@postroom/mail-store/collections';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

const HOUR_MS = 3_600_000;

/** What may have happened while a reply waited for its time, or a forward for its next attempt. */
export function createObjectionStore(collections: Collections) {
  const { mailboxes, workspaces, emails, sends, autoForwardRules } = collections;

  return {
    async mailboxIsActive(workspaceId: string, { mailboxId }: SendDocument): Promise<boolean> {
      const mailbox = await mailboxes.findOne({ workspaceId, _id: mailboxId }, { status: 1 }, QUERY_LIMIT).lean();
      return mailbox?.status === 'active';
    },

    async workspaceIsActive(workspaceId: string): Promise<boolean> {
      const found = await workspaces.findOne({ _id: workspaceId }, { suspendedAt: 1 }, QUERY_LIMIT).lean();
      return found?.suspendedAt === null;
    },

    /** Whoever has named another destination since wants nothing more to go to the former one. */
    async ruleForwards(workspaceId: string, { ruleId, to }: SendDocument): Promise<boolean> {
      const rule = await autoForwardRules
        .findOne({ workspaceId, _id: ruleId ?? '' }, { isActive: 1, forwardTo: 1 }, QUERY_LIMIT)
        .lean();
      return rule?.isActive === true && to.every((address) => address === rule.forwardTo);
    },

    /** Its place among those of its kind in the hour before it, which is the same whenever and by whomever it is asked. */
    countBefore(
      workspaceId: string,
      { _id, kind, createdAt }: SendDocument,
      of: Partial<Pick<SendDocument, 'ruleId' | 'mailboxId'>>,
      limit: number,
    ): Promise<number> {
      const hourBefore = new Date(createdAt.getTime() - HOUR_MS);
      const earlier = { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: _id } }] };
      const within = { createdAt: { $gt: hourBefore, $lte: createdAt }, state: { $ne: 'canceled' } } as const;
      return sends.countDocuments({ workspaceId, kind, ...of, ...within, ...earlier }, { ...QUERY_LIMIT, limit });
    },

    /** Nobody has changed it, or sent it, in another client meanwhile. */
    async isStillScheduled(workspaceId: string, { draftId }: SendDocument): Promise<boolean> {
      const found = await emails
        .findOne({ workspaceId, _id: draftId ?? '' }, { scheduledStatus: 1 }, QUERY_LIMIT)
        .lean();
      return found?.scheduledStatus !== 'canceled';
    },

    async isInPlace(workspaceId: string, emailId: string | null): Promise<boolean> {
      const found = await emails.findOne({ workspaceId, _id: emailId ?? '' }, { folderType: 1 }, QUERY_LIMIT).lean();
      return found !== null && found.folderType !== 'TRASH' && found.folderType !== 'SPAM';
    },
  };
}

export type ObjectionStore = ReturnType<typeof createObjectionStore>;
