import type { Reads, Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

const ABOUT = {
  folderType: 1,
  scheduledStatus: 1,
  threadId: 1,
  threadKey: 1,
  messageId: 1,
  date: 1,
  labelIds: 1,
  classifiedAt: 1,
} as const;
export type About = Pick<EmailDocument, '_id' | keyof typeof ABOUT>;
/** Undefined where there is none, or none any more. */
export type EmailsOf = Record<'source' | 'draft', About | undefined>;

const HOUR_MS = 3_600_000;

/** Reads the state that may have changed while a reply or a forward waited. */
export function createPreconditionStore(
  collections: Writes<'sends'> & Reads<'mailboxes' | 'workspaces' | 'emails' | 'autoForwardRules'>,
) {
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

    /** A changed destination stops forwards to the former one. */
    async ruleForwards(workspaceId: string, { ruleId, to }: SendDocument): Promise<boolean> {
      const rule = await autoForwardRules
        .findOne({ workspaceId, _id: ruleId ?? '' }, { isActive: 1, forwardTo: 1 }, QUERY_LIMIT)
        .lean();
      return rule?.isActive === true && to.every((address) => address === rule.forwardTo);
    },

    /** Its rank among the sends of its kind in the hour before it. The rank is the same at every call. */
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

    /** The emails that it is about: what it answers or forwards, and the draft that it is shown as. */
    async emailsOf(workspaceId: string, { sourceEmailId, draftId }: SendDocument): Promise<EmailsOf> {
      const ids = [sourceEmailId, draftId].flatMap((id) => id ?? []);
      const found = await emails.find({ workspaceId, _id: { $in: ids } }, ABOUT, QUERY_LIMIT).lean<About[]>();
      const byId = (id: string | null) => found.find(({ _id }) => _id === id);
      return { source: byId(sourceEmailId), draft: byId(draftId) };
    },
  };
}

export type PreconditionStore = ReturnType<typeof createPreconditionStore>;
