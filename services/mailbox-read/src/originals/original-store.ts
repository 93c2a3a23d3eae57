import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { storedOriginal } from '@postroom/mail-store/stored-original';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export type OriginalReader = ReturnType<typeof createOriginalReader>;
export type OriginalEmail = Pick<EmailDocument, '_id' | 'mailboxId' | 'attachments' | 'place'>;

const FIELDS = { mailboxId: 1, attachments: 1, place: 1 } as const;

/** Emails, and their raw messages where mailbox-write stores them. */
export function createOriginalReader({ emails, originalPieces }: Reads<'emails' | 'originalPieces'>) {
  return {
    email(workspaceId: string, emailId: string, budget: TimeBudget): Promise<OriginalEmail | null> {
      return emails.findOne({ workspaceId, _id: emailId }, FIELDS, timeLimit(budget)).lean<OriginalEmail | null>();
    },

    async isStored(workspaceId: string, emailId: string, budget: TimeBudget): Promise<boolean> {
      const piece = await originalPieces.findOne({ workspaceId, emailId }, { _id: 1 }, timeLimit(budget)).lean();
      return piece !== null;
    },

    message(workspaceId: string, emailId: string, budget: TimeBudget): Promise<Buffer | null> {
      return storedOriginal({ originalPieces }, workspaceId, emailId, timeLimit(budget));
    },
  };
}
