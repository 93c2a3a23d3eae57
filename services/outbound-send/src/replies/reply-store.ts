import { isPaid, planInForce } from '@postroom/contract/plans';
import type { Reads, Writes } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { AiLabelRuleDocument } from '@postroom/mail-store/documents/label';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { livingLabels } from '@postroom/mail-store/label-ref';
import { QUERY_BUDGET, QUERY_LIMIT } from '@postroom/mail-store/time-limit';

/** Whether a workspace may have replies prepared, and sent. */
export type Standing = 'paid' | 'unpaid' | 'suspended';
export type ReplyingRule = Pick<AiLabelRuleDocument, 'labelId' | 'updatedAt'>;

const SECOND_MS = 1_000;

export type ReplyStore = ReturnType<typeof createReplyStore>;

/** The state on which an automatic reply depends. Other services write most of it. */
export function createReplyStore(
  collections: Writes<'sends'> & Reads<'workspaces' | 'emails' | 'aiLabelRules' | 'labels'>,
) {
  const { workspaces, emails, aiLabelRules, sends } = collections;

  return {
    async standing(workspaceId: string, now: number): Promise<Standing> {
      const found = await workspaces.findOne({ _id: workspaceId }, null, QUERY_LIMIT).lean();
      if (!found || found.suspendedAt !== null) return 'suspended';
      const plan = planInForce(found.plan, found.planUntil?.getTime() ?? null, now);
      return isPaid(plan) ? 'paid' : 'unpaid';
    },

    /** The rule that sends replies; null when it is off or deleted. */
    async replyingRule(workspaceId: string, { ruleId }: SendDocument): Promise<ReplyingRule | null> {
      const shown = { labelId: 1, autoDraftEnabled: 1, autoReplyEnabled: 1, updatedAt: 1 } as const;
      const rule = await aiLabelRules
        .findOne({ workspaceId, _id: ruleId ?? '' }, shown, QUERY_LIMIT)
        .lean<AiLabelRuleDocument | null>();
      if (!rule?.autoDraftEnabled || !rule.autoReplyEnabled) return null;
      // A rule is gone as soon as its label is.
      const labels = await livingLabels(collections, workspaceId, [rule.labelId], QUERY_BUDGET);
      return labels.length > 0 ? rule : null;
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
      { threadId, date, messageId }: Pick<EmailDocument, 'threadId' | 'date' | 'messageId'>,
    ): Promise<boolean> {
      if (threadId === null) return false;
      const noMachine = { isAutoReply: { $ne: true }, isAutoForward: { $ne: true } } as const;
      // A Date header has whole seconds, and is written by another clock than the one of the server that received this.
      const since = new Date(Math.floor(date.getTime() / SECOND_MS) * SECOND_MS);
      const isAnswer = { $or: [{ inReplyTo: messageId }, { date: { $gte: since } }] };
      const answer = { workspaceId, mailboxId, threadId, folderType: 'SENT', ...noMachine, ...isAnswer } as const;
      return (await emails.findOne(answer, { _id: 1 }, QUERY_LIMIT).lean()) !== null;
    },
  };
}
