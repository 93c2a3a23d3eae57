import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { storedOriginal } from '@postroom/mail-store/stored-original';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type ForwardedStore = ReturnType<typeof createForwardedStore>;
export type Forwarded = Pick<EmailDocument, '_id' | 'mailboxId' | 'attachments' | 'place'>;

const FORWARDED = { mailboxId: 1, attachments: 1, place: 1 } as const;

/** Forwarded emails, and their raw messages where mailbox-write stores them. */
export function createForwardedStore({ emails, originalPieces }: Reads<'emails' | 'originalPieces'>) {
  return {
    email(workspaceId: string, emailId: string): Promise<Forwarded | null> {
      return emails.findOne({ workspaceId, _id: emailId }, FORWARDED, QUERY_LIMIT).lean<Forwarded | null>();
    },

    /** Null where it is not kept, or not any more. */
    message(workspaceId: string, emailId: string): Promise<Buffer | null> {
      return storedOriginal({ originalPieces }, workspaceId, emailId, QUERY_LIMIT);
    },
  };
}
