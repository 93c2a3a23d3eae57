import type { Reads } from '@postroom/mail-store/access';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { SignatureDocument } from '@postroom/mail-store/documents/workspace';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

type OwnMailbox = Pick<MailboxDocument, '_id' | 'email' | 'name' | 'aliases'>;
type OwnSignature = Pick<SignatureDocument, 'isDefault' | 'aliasEmail' | 'mailboxId' | 'html'>;

export interface MailboxOwner {
  mailbox: OwnMailbox;
  signatures: OwnSignature[];
}

export type OwnerStore = ReturnType<typeof createOwnerStore>;

/** The names and signatures that a mailbox writes under. */
export function createOwnerStore({ mailboxes, signatures }: Reads<'mailboxes' | 'signatures'>) {
  return {
    async find(workspaceId: string, mailboxId: string): Promise<MailboxOwner | null> {
      const [mailbox, found] = await Promise.all([
        mailboxes
          .findOne({ workspaceId, _id: mailboxId }, { email: 1, name: 1, aliases: 1 }, QUERY_LIMIT)
          .lean<OwnMailbox | null>(),
        signatures
          .find({ workspaceId, isDefault: true }, { isDefault: 1, aliasEmail: 1, mailboxId: 1, html: 1 }, QUERY_LIMIT)
          .sort({ position: 1, _id: 1 })
          .lean<OwnSignature[]>(),
      ]);
      return mailbox && { mailbox, signatures: found };
    },
  };
}
