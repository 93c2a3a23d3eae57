import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type WaitingEmail = Required<Pick<EmailDocument, '_id' | 'workspaceId' | 'awaitsClassificationSince'>>;

export interface InConversation {
  mailboxId: string;
  threadId: string;
  emailId: string;
}

const MOST_BEFORE = 50;

type Waiting = WaitingEmail & Pick<EmailDocument, 'owedOrder'>;

/** Those of one moment have an order while their events are owed, as theirs are who were overtaken. */
function byMoment(one: Waiting, other: Waiting): number {
  const moments = one.awaitsClassificationSince.getTime() - other.awaitsClassificationSince.getTime();
  return moments || (one.owedOrder ?? 0) - (other.owedOrder ?? 0);
}

/** Of every workspace, because late mail is late whose ever it is. */
export function waitingEmails(emails: Reads<'emails'>['emails']) {
  return {
    /** Of every workspace: how many have yet to be classified, counted to a limit, and since when the first of them. */
    async everyWorkspacesWaiting(limit: number): Promise<{ count: number; since: Date | undefined }> {
      const waiting = { awaitsClassificationSince: { $gt: new Date(0) } };
      const [count, first] = await Promise.all([
        emails.countDocuments(waiting, { ...QUERY_LIMIT, limit }),
        emails
          .findOne(waiting, { awaitsClassificationSince: 1 }, QUERY_LIMIT)
          .sort({ awaitsClassificationSince: 1, _id: 1 })
          .lean<WaitingEmail | null>(),
      ]);
      return { count, since: first?.awaitsClassificationSince };
    },

    /** Those of its conversation that came before an email, and since a moment; none for one that does not wait. */
    async waitingBefore(
      workspaceId: string,
      { mailboxId, threadId, emailId }: InConversation,
      since: Date,
    ): Promise<string[]> {
      const waiting = await emails
        .find(
          { workspaceId, mailboxId, threadId, awaitsClassificationSince: { $gt: since } },
          { awaitsClassificationSince: 1, owedOrder: 1 },
          QUERY_LIMIT,
        )
        .sort({ awaitsClassificationSince: 1 })
        .limit(MOST_BEFORE)
        .lean<Waiting[]>();
      const ownMoment = waiting.find(({ _id }) => _id === emailId)?.awaitsClassificationSince;
      if (!ownMoment) return [];
      const before = waiting.filter((one) => one.awaitsClassificationSince < ownMoment);
      return before.toSorted(byMoment).map(({ _id }) => _id);
    },

    /** Of every workspace, those that have waited since before a moment, the longest first, behind a place. */
    everyWorkspaces(before: Date, after: WaitingEmail | undefined, limit: number): Promise<WaitingEmail[]> {
      const since = after?.awaitsClassificationSince ?? new Date(1);
      const behind = after && {
        $or: [
          { awaitsClassificationSince: { $gt: since } },
          { awaitsClassificationSince: since, _id: { $gt: after._id } },
        ],
      };
      return emails
        .find(
          { awaitsClassificationSince: { $gte: since, $lt: before }, ...behind },
          { workspaceId: 1, awaitsClassificationSince: 1 },
          QUERY_LIMIT,
        )
        .sort({ awaitsClassificationSince: 1, _id: 1 })
        .limit(limit)
        .lean<WaitingEmail[]>();
    },
  };
}
