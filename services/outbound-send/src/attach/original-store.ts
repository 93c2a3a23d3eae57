import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument, OriginalPieceDocument } from '@postroom/mail-store/documents/email';
import { bufferOf, type StoredBytes } from '@postroom/mail-store/stored-bytes';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

export type ForwardedStore = ReturnType<typeof createForwardedStore>;
export type Forwarded = Pick<EmailDocument, '_id' | 'mailboxId' | 'attachments' | 'place'>;
type Piece = Pick<OriginalPieceDocument, 'pieces'> & { bytes: StoredBytes };

const FORWARDED = { mailboxId: 1, attachments: 1, place: 1 } as const;

/** Forwarded emails, and their raw messages where mailbox-write stores them. */
export function createForwardedStore({ emails, originalPieces }: Reads<'emails' | 'originalPieces'>) {
  return {
    email(workspaceId: string, emailId: string): Promise<Forwarded | null> {
      return emails.findOne({ workspaceId, _id: emailId }, FORWARDED, QUERY_LIMIT).lean<Forwarded | null>();
    },

    /** Null where it is not kept, or not any more. */
    async message(workspaceId: string, emailId: string): Promise<Buffer | null> {
      const pieces = await originalPieces
        .find({ workspaceId, emailId }, { pieces: 1, bytes: 1 }, QUERY_LIMIT)
        .sort({ position: 1 })
        .lean<Piece[]>();
      const [first] = pieces;
      return first?.pieces === pieces.length ? Buffer.concat(pieces.map(({ bytes }) => bufferOf(bytes))) : null;
    },
  };
}
