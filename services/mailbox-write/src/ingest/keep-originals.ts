import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { ServiceContext } from '@postroom/runtime/service';
import { type Arrival, owesReceived } from './email-document.ts';
import type { OriginalStore } from './original-store.ts';

export interface OriginalsDeps {
  originals: Pick<OriginalStore, 'keep'>;
  context: Pick<ServiceContext, 'clock'>;
}

/**
 * What a rule may forward and no provider could give again is kept as it came. Before its event is owed: whoever
 * forwards it finds what is to go along.
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
    if (mayGoAlong && owesReceived(mailbox, arrival))
      await originals.keep(workspaceId, { mailboxId, emailId, raw: incoming.raw }, context.clock.date());
  }
}
