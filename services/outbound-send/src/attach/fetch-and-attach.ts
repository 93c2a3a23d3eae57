import { ApiError } from '@postroom/errors/api-error';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import { MimeRefused } from '@postroom/mime/message-bounds';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Client } from '@postroom/rpc/definition';
import type { BytesInFlight } from '@postroom/runtime/bytes-in-flight';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Forwarded, ForwardedStore } from './original-store.ts';
import type { Attaching, SendDeps } from '../sending/send-deps.ts';
import { FORMER_MODE, copyAttachments } from './copy-attachments.ts';

interface Deps {
  originals: ForwardedStore;
  mailboxSync: Pick<Client<MailboxSyncServiceDefinition>, 'fetchRaw'>;
  /** Limits the bytes of messages with attachments that this process holds at once. */
  bytes: BytesInFlight;
  context: Pick<ServiceContext, 'clock' | 'log'>;
}

const FETCH_MS = 60_000;
/** Memory holds two copies at once: the fetched message and the message that is made from it. */
const COPIES = 2;
/** The encoded part is larger than the counted bytes, and has headers. */
const ENCODED = 1.4;

const never = (reason: string): Attaching => ({ reason, isFinal: true });
const GONE = never('the email that was to be forwarded is gone');
const NOT_KEPT = never('the attachments are not kept any more');
const TOO_LARGE = never(`with its attachments the message is larger than ${LARGEST_MESSAGE / 1024 / 1024} megabytes`);
const UNREADABLE = never('the attachments cannot be taken over');
const UNAVAILABLE: Attaching = {
  reason: 'the attachments could not be fetched from the mail server of the mailbox',
  isFinal: false,
};

/** Adds the attachments of forwarded emails to the messages. */
export function createAttaching({ originals, mailboxSync, bytes, context }: Deps): SendDeps['attach'] {
  /** Fetches the message from the stored originals or from the mail server. Null if it is gone. */
  const fetched = async ({ workspaceId }: SendDocument, email: Forwarded): Promise<Buffer | null> => {
    if (!email.place) return originals.message(workspaceId, email._id);
    const deadline = context.clock.now() + FETCH_MS;
    const { raw, isWhole } = await mailboxSync.fetchRaw(
      { mailboxId: email.mailboxId, emailId: email._id },
      { workspaceId, deadline },
    );
    if (!isWhole) throw new MimeRefused('tooLarge');
    return raw;
  };
  const made = async (send: SendDocument, email: Forwarded): Promise<Buffer | null> => {
    const message = await fetched(send, email);
    return message && copyAttachments(send.wire ?? Buffer.alloc(0), message, send.mode ?? FORMER_MODE);
  };

  return async (send) => {
    const email = await originals.email(send.workspaceId, send.sourceEmailId ?? '');
    if (!email) return GONE;
    const attached = email.attachments.reduce((sum, { size }) => sum + size, 0);
    if (attached > LARGEST_MESSAGE) return TOO_LARGE;
    const size = attached * ENCODED + (send.wire?.length ?? 0);
    const { leave } = await bytes.enter(COPIES * Math.min(size, LARGEST_MESSAGE), send.workspaceId);
    try {
      const wire = await made(send, email);
      if (wire && wire.length <= LARGEST_MESSAGE) return { wire, leave };
      leave();
      // Originals above the limit are never stored, so a missing one can mean that the message is too large.
      return wire || size > LARGEST_MESSAGE ? TOO_LARGE : NOT_KEPT;
    } catch (error) {
      leave();
      if (error instanceof MimeRefused) return error.reason === 'tooLarge' ? TOO_LARGE : UNREADABLE;
      if (!(error instanceof ApiError)) throw error;
      // The message may have moved; this service learns the new location a little later. If the message is gone for
      // good, its email is deleted by then.
      context.log.warn({ err: error, sendId: send._id }, 'the attachments of a forward cannot be fetched now');
      return UNAVAILABLE;
    }
  };
}
