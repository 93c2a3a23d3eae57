import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { EMAIL_FIELDS, type AskedEmail } from '../classify/mail-store.ts';

export interface WhichEmail {
  workspaceId: string;
  mailboxId: string;
  emailId: string;
  /** Without one an email is a thread of its own. */
  threadId: string | undefined;
}

/** One that waits for its classification. */
export type PendingEmail = AskedEmail &
  Pick<EmailDocument, 'workspaceId' | 'awaitsClassificationSince' | 'classification'>;
type FoundDue = Pick<EmailDocument, '_id' | 'mailboxId' | 'threadId'>;

/** The condition of a due email: no process works on it, and no event for it is in transit. */
export interface DueBy {
  now: Date;
  /** Of emails that were never taken up, only those that arrived before. */
  cameBefore: Date;
  /** Threads that are left out. */
  notOf?: readonly string[];
}

export type UnclassifiedStore = ReturnType<typeof createUnclassifiedStore>;

/** More than any thread has that people write. The others are found when these are done. */
const MOST_IN_THREAD = 50;
const ANY = { $gt: new Date(0) };

export function createUnclassifiedStore({ emails }: Reads<'emails'>) {
  return {
    /** The emails of its thread that wait, in their order; it is not among them where it does not wait. */
    inThread(workspaceId: string, { mailboxId, emailId, threadId }: WhichEmail): Promise<PendingEmail[]> {
      const which = threadId ? { mailboxId, threadId } : { _id: emailId };
      return emails
        .find({ workspaceId, ...which, awaitsClassificationSince: ANY }, PENDING_FIELDS, QUERY_LIMIT)
        .sort({ awaitsClassificationSince: 1, 'classification.order': 1, _id: 1 })
        .limit(MOST_IN_THREAD)
        .lean<PendingEmail[]>();
    },

    async due(workspaceId: string, by: DueBy, limit: number): Promise<WhichEmail[]> {
      const found = await emails
        .find({ workspaceId, ...dueBy(by) }, { mailboxId: 1, threadId: 1 }, QUERY_LIMIT)
        .sort({ 'classification.notBefore': 1, awaitsClassificationSince: 1 })
        .limit(limit)
        .lean<FoundDue[]>();
      return found.map(({ _id: emailId, mailboxId, threadId }) => {
        return { workspaceId, mailboxId, emailId, threadId: threadId ?? undefined };
      });
    },

    /** The first workspace behind another that has something due. */
    async everyWorkspacesNext(behind: string, by: DueBy): Promise<string | undefined> {
      const found = await emails
        .findOne({ workspaceId: { $gt: behind }, ...dueBy(by) }, { workspaceId: 1 }, QUERY_LIMIT)
        .sort({ workspaceId: 1, 'classification.notBefore': 1, awaitsClassificationSince: 1 })
        .lean<Pick<EmailDocument, 'workspaceId'> | null>();
      return found?.workspaceId;
    },

    /** The number of unclassified emails, counted to a limit, and the time of the oldest. */
    async everyWorkspacesWaiting(limit: number): Promise<{ count: number; since: Date | undefined }> {
      const waiting = { awaitsClassificationSince: ANY };
      const [count, first] = await Promise.all([
        emails.countDocuments(waiting, { ...QUERY_LIMIT, limit }),
        emails
          .findOne(waiting, { awaitsClassificationSince: 1 }, QUERY_LIMIT)
          .sort({ awaitsClassificationSince: 1, _id: 1 })
          .lean<Pick<EmailDocument, 'awaitsClassificationSince'> | null>(),
      ]);
      return { count, since: first?.awaitsClassificationSince };
    },
  };
}

const PENDING_FIELDS = { ...EMAIL_FIELDS, workspaceId: 1, awaitsClassificationSince: 1, classification: 1 } as const;

function dueBy({ now, cameBefore, notOf = [] }: DueBy) {
  return {
    ...(notOf.length > 0 && { threadId: { $nin: [...notOf] } }),
    awaitsClassificationSince: { $gt: new Date(0), $lte: cameBefore },
    'classification.notBefore': { $not: { $gt: now } },
  };
}
