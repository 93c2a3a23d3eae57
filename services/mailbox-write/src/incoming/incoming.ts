import { ApiError } from '@postroom/errors/api-error';
import { FOLDER_TYPES, isOneOf, STORED_FOLDER_TYPES, type StoredFolderType } from '@postroom/contract/lists';
import type { AttachmentPart, EmailDocument, PendingChange, LocationPart } from '@postroom/mail-store/documents/email';
import { boundedLabels } from '@postroom/mail-store/email-bounds';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { sane } from '@postroom/mime/dates';
import type { AnsweredEmail, IncomingMessage, IngestOutcome } from '@postroom/proto/postroom/v1/mailbox_write';

/** A validated message from its source. */
export interface Incoming {
  sourceKey: string;
  raw: Buffer;
  folderType: StoredFolderType;
  /** The folder that shows it; null where the one of its type does. */
  folderId: string | null;
  providerThreadId: string | null;
  providerLabels: string[];
  isRead: boolean;
  isStarred: boolean;
  /** No `email.received` announces it: it came before its mailbox was connected, or it is one more copy of a message. */
  isHistory: boolean;
  receivedAt: Date | null;
  /** The provider's id of the message, and its location. Mail without a provider has neither. */
  providerId: string;
  location?: LocationPart;
  /** The attachments by the word of the provider, of a message whose beginning alone is in `raw`. */
  described?: AttachmentPart[];
  /** Of mail that was made here. */
  outgoing?: OutgoingPart;
}

interface OutgoingPart {
  shown: Pick<EmailDocument, 'isAutoForward' | 'isAutoReply' | 'scheduledSendAt' | 'scheduledStatus' | 'draft'>;
  announcesDraftSent: boolean;
  /** The email that it answers, with its thread. The links of both are checked once it is stored. */
  answered?: AnsweredEmail;
  /** Its provider is to have a copy of it. */
  append?: PendingChange<string>;
}

export type Outcome = IngestOutcome;

const LONGEST_KEY = 1_000;

/** Faults here are the source's, not a message's: the whole batch is refused, and nothing of it is taken in. */
export function readIncoming(messages: readonly IncomingMessage[], { folders }: MailboxDocument): Incoming[] {
  return messages.map((message, position) => {
    const { sourceKey, receivedAt, location } = message;
    const folderId = message.folderId ?? location?.folderId ?? null;
    const folderType = folderId === null ? message.folderType : folders.find(({ id }) => id === folderId)?.type;
    if (sourceKey === '' || sourceKey.length > LONGEST_KEY)
      throw fault(position, 'sourceKey', `1 to ${LONGEST_KEY} characters`);
    if (folderType === undefined) throw fault(position, 'folderId', 'the id of a folder of this mailbox');
    if (!isOneOf(folderId === null ? FOLDER_TYPES : STORED_FOLDER_TYPES, folderType))
      throw fault(position, 'folderType', `one of ${FOLDER_TYPES.join(', ')}`);
    const received = receivedAt === undefined ? null : new Date(receivedAt);
    if (received && Number.isNaN(received.getTime())) throw fault(position, 'receivedAt', 'an ISO 8601 date-time');
    return {
      sourceKey,
      raw: message.raw,
      folderType,
      providerThreadId: message.providerThreadId ?? null,
      providerLabels: boundedLabels(message.providerLabels),
      isRead: message.isRead,
      isStarred: message.isStarred,
      isHistory: message.isHistory,
      // A year beyond those is no date-time to readers of the API, and would stand before all mail for ever.
      receivedAt: received && sane(received),
      folderId,
      providerId: message.providerId ?? '',
      ...(location && { location }),
      ...(message.described && { described: message.described.items }),
    };
  });
}

function fault(position: number, field: string, expected: string): ApiError {
  return new ApiError('VALIDATION_FAILED', { details: { [`messages[${position}].${field}`]: [`Give ${expected}.`] } });
}

export const stored = (sourceKey: string, emailId: string): Outcome => ({
  sourceKey,
  outcome: 'stored',
  emailId,
  cause: undefined,
});

export const known = (sourceKey: string, emailId: string): Outcome => ({
  sourceKey,
  outcome: 'known',
  emailId,
  cause: undefined,
});

export const quarantinedOutcome = (sourceKey: string, cause: string): Outcome => ({
  sourceKey,
  outcome: 'quarantined',
  emailId: undefined,
  cause,
});
