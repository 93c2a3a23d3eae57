import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { ServiceContext } from '@postroom/runtime/service';
import { type Arrival, announcesReceived } from './email-document.ts';
import type { OriginalStore } from './original-store.ts';

export interface OriginalsDeps {
  originals: Pick<OriginalStore, 'keep'>;
  context: Pick<ServiceContext, 'clock'>;
}

/**
 * Stores the raw message when a rule may forward it and no provider could return it. It is stored before the event is
 * pending, so that a forward finds its attachments.
 */
export async function keepOriginals(
  { originals, context }: OriginalsDeps,
  mailbox: MailboxDocument,
  fresh: readonly Arrival[],
): Promise<void> {
  const { _id: mailboxId, workspaceId, provider } = mailbox;
  if (provider === 'imap') return;
  for (const arrival of fresh) {
    const { mail, emailId, incoming } = arrival;
    const mayGoAlong = mail.attachments.length > 0 && incoming.raw.length <= LARGEST_MESSAGE;
    if (mayGoAlong && announcesReceived(mailbox, arrival))
      await originals.keep(workspaceId, { mailboxId, emailId, raw: incoming.raw }, context.clock.date());
  }
}
