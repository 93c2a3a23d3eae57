import { ApiError } from '@postroom/errors/api-error';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { FoundParts } from './parts.ts';
import type { GetAttachmentResponse, MailboxReadServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_read';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Call } from '@postroom/rpc/call';
import type { Client, Handlers } from '@postroom/rpc/definition';
import type { BytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { OriginalEmail, OriginalReader } from './original-store.ts';
import type { AskedParts } from './parts.ts';
import { readParts } from './read-parts.ts';

export interface OriginalDeps {
  originals: OriginalReader;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchRaw'>;
  /** Limits the bytes of messages that this process takes apart at once. */
  bytes: BytesInFlight;
}

/** A message is in memory as it came, in the thread that takes it apart, and as the part that is answered. */
const COPIES = 3;
/** The encoded part is larger than the counted bytes, and the message has a text. */
const ENCODED = 1.4;
const LARGEST_TEXT = 2 * 1024 * 1024;
const PARTS_MS = 5_000;

const missing = (message: string) => new ApiError('NOT_FOUND', { message });
const TOO_LARGE = `The message is larger than ${LARGEST_MESSAGE / 1024 / 1024} MB; open it in your mail program.`;
const NOT_KEPT =
  'Nobody has this attachment any more: its mailbox has no mail server, and the message is kept for seven days.';
const UNREADABLE = 'The message cannot be taken apart; open it in your mail program.';
const ANOTHER = 'There is no such attachment in this email.';

/** The parts of whole messages, from their provider or from the stored copy. */
export function originalHandlers({ originals, mailboxSync, bytes }: OriginalDeps) {
  const found = async (emailId: string, call: Call): Promise<OriginalEmail> => {
    const email = await originals.email(call.workspaceId, emailId, call);
    if (!email) throw new ApiError('EMAIL_NOT_FOUND');
    return email;
  };
  const rawOf = async (email: OriginalEmail, call: Call): Promise<Buffer> => {
    const { _id: emailId, mailboxId } = email;
    if (email.place) {
      const { raw, isWhole } = await mailboxSync.fetchRaw({ mailboxId, emailId }, call);
      if (!isWhole) throw missing(TOO_LARGE);
      return raw;
    }
    const raw = await originals.message(call.workspaceId, emailId, call);
    if (!raw) throw missing(NOT_KEPT);
    return raw;
  };
  const partsOf = async <T>(
    email: OriginalEmail,
    asked: AskedParts,
    call: Call,
    use: (found: FoundParts) => T,
  ): Promise<T> => {
    const { workspaceId, signal } = call;
    const { leave } = await bytes.enter(weightOf(email), workspaceId, signal);
    try {
      const ms = Math.min(PARTS_MS, call.remainingMs());
      return use(await readParts(await rawOf(email, call), asked, { ms, signal }));
    } finally {
      leave();
    }
  };

  return {
    findOriginal: async ({ emailId }, call) => {
      const email = await found(emailId, call);
      if (email.place) return { keptBy: 'provider' };
      return { keptBy: (await originals.isStored(call.workspaceId, emailId, call)) ? 'stored' : 'none' };
    },
    getAttachment: async ({ emailId, position }, call) => {
      const email = await found(emailId, call);
      if (!email.attachments[position]) throw missing(ANOTHER);
      return partsOf(email, { kind: 'attachment', position }, call, (parts) => toAnswer(email, position, parts));
    },
    getCarriedImages: async ({ emailId, contentIds }, call) => {
      const email = await found(emailId, call);
      if (email.attachments.length === 0 || contentIds.length === 0) return { items: [] };
      return partsOf(email, { kind: 'images', contentIds }, call, (parts) => ({
        items:
          parts.kind === 'images' ? parts.images.map((image) => ({ ...image, content: asBuffer(image.content) })) : [],
      }));
    },
  } satisfies Partial<Handlers<MailboxReadServiceDefinition>>;
}

function weightOf({ attachments }: OriginalEmail): number {
  const attached = attachments.reduce((sum, { size }) => sum + size, 0);
  return COPIES * Math.min(attached * ENCODED + LARGEST_TEXT, LARGEST_MESSAGE);
}

/** The provider may have another message at this location by now, so the part has to be the one that was listed. */
function toAnswer({ attachments }: OriginalEmail, position: number, parts: FoundParts): GetAttachmentResponse {
  if (parts.kind !== 'attachment') throw missing(UNREADABLE);
  const listed = attachments[position];
  const { attachment } = parts;
  if (!attachment || attachment.filename !== listed?.filename || attachment.mimeType !== listed.mimeType)
    throw missing(ANOTHER);
  return { filename: attachment.filename, content: asBuffer(attachment.content) };
}

const asBuffer = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
