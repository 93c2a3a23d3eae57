import type { Collections } from '@postroom/mail-store/collections';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

/** What a sender needs of its mailbox; its server and credentials are asked for elsewhere, when they are used. */
export type SendingMailbox = Pick<MailboxDocument, '_id' | 'email' | 'name' | 'status' | 'aliases' | 'provider'>;
/** The email that is answered. */
export type AnsweredEmail = Pick<EmailDocument, '_id' | 'messageId' | 'references' | 'threadId'>;
export type DirectoryStore = ReturnType<typeof createDirectoryStore>;

const MAILBOX = { email: 1, name: 1, status: 1, aliases: 1, provider: 1 } as const;
const ANSWERED = { messageId: 1, references: 1, threadId: 1 } as const;

/** What stands around a message that leaves: all of it is written by other services. */
export function createDirectoryStore({ mailboxes, signatures, emails }: Collections) {
  return {
    mailbox(workspaceId: string, mailboxId: string, budget: TimeBudget): Promise<SendingMailbox | null> {
      return mailboxes
        .findOne({ _id: mailboxId, workspaceId }, MAILBOX, timeLimit(budget))
        .lean<SendingMailbox | null>();
    },

    signatures(workspaceId: string, budget: TimeBudget): Promise<SignatureDocument[]> {
      return signatures
        .find({ workspaceId }, null, timeLimit(budget))
        .sort({ position: 1, _id: 1 })
        .lean<SignatureDocument[]>();
    },

    /** The email of a Message-ID in a mailbox; of several the newest, which all stand in one thread anyway. */
    answered(
      workspaceId: string,
      mailboxId: string,
      messageId: string,
      budget: TimeBudget,
    ): Promise<AnsweredEmail | null> {
      return emails
        .findOne({ workspaceId, mailboxId, messageId }, ANSWERED, timeLimit(budget))
        .lean<AnsweredEmail | null>();
    },

    async isFiled(workspaceId: string, mailboxId: string, messageId: string, budget: TimeBudget): Promise<boolean> {
      const sent = { workspaceId, mailboxId, messageId, folderType: 'SENT' } as const;
      return (await emails.findOne(sent, { _id: 1 }, timeLimit(budget)).lean()) !== null;
    },
  };
}
