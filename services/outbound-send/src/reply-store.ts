import { isPaid, planInForce } from '@postroom/contract/plans';
import type { Reads, Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type ReplyStore = ReturnType<typeof createReplyStore>;

/** What a reply that goes out by itself depends on; most of it is written by other services. */
export function createReplyStore(
  collections: Writes<'sends'> & Reads<'workspaces' | 'emails' | 'aiLabelRules' | 'labels'>,
) {
  const { workspaces, emails, aiLabelRules, sends } = collections;

  return {
    async planAllows(workspaceId: string, now: number): Promise<boolean> {
      const found = await workspaces.findOne({ _id: workspaceId }, null, QUERY_LIMIT).lean();
      if (!found || found.suspendedAt !== null) return false;
      return isPaid(planInForce(found.plan, found.planUntil?.getTime() ?? null, now));
    },

    async ruleReplies(workspaceId: string, { ruleId }: SendDocument): Promise<boolean> {
      const rule = await aiLabelRules.findOne({ workspaceId, _id: ruleId ?? '' }, null, QUERY_LIMIT).lean();
      if (!rule?.autoDraftEnabled || !rule.autoReplyEnabled) return false;
      // A rule is gone as soon as its label is.
      return (await livingLabels(collections, workspaceId, [rule.labelId], QUERY_BUDGET)).length > 0;
    },

    /** Replies to the same correspondent that go out within a span before or after this one, without it. */
    countAround(workspaceId: string, send: SendDocument, spanMs: number, limit: number): Promise<number> {
      const { _id, mailboxId, correspondent, scheduledSendAt } = send;
      const at = (scheduledSendAt ?? send.createdAt).getTime();
      const around = { $gt: new Date(at - spanMs), $lt: new Date(at + spanMs) };
      const others = { workspaceId, mailboxId, correspondent, scheduledSendAt: around, _id: { $ne: _id } } as const;
      return sends.countDocuments({ ...others, state: { $nin: ['canceled', 'failed'] } }, { ...QUERY_LIMIT, limit });
    },

    /** A person has sent an answer into the thread since, from here or from another client. */
    async isAnswered(
      workspaceId: string,
      { mailboxId }: SendDocument,
      { threadId, date }: Pick<EmailDocument, 'threadId' | 'date'>,
    ): Promise<boolean> {
      if (threadId === null) return false;
      const noMachine = { isAutoReply: { $ne: true }, isAutoForward: { $ne: true } } as const;
      const byPerson = { folderType: 'SENT', date: { $gte: date }, ...noMachine } as const;
      const answer = { workspaceId, mailboxId, threadId, ...byPerson };
      return (await emails.findOne(answer, { _id: 1 }, QUERY_LIMIT).lean()) !== null;
    },
  };
}
