import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { PlacedEmail } from '../changes/as-read.ts';
import type { Placed } from './deciding.ts';
import type { PlaceDeps } from './place-deps.ts';

/**
 * Some mail servers give what they send another Message-ID. Whoever answers it names that one, so it belongs to the same
 * thread as the one that the message had here.
 */
export async function linkOtherName(
  { settling: { threads } }: Pick<PlaceDeps, 'settling'>,
  { workspaceId, _id: mailboxId }: MailboxDocument,
  { _id: emailId, messageId, threadKey, threadId }: PlacedEmail,
  { incoming, mail }: Placed,
): Promise<void> {
  const isRenamed = incoming.folderType === 'SENT' && mail.hasOwnMessageId && mail.messageId !== messageId;
  if (!isRenamed || threadKey === '') return;
  const node = { messageId: mail.messageId, answers: [threadKey], threadId: threadId ?? '' };
  await threads.settle(workspaceId, mailboxId, [{ emailId, node }]);
}
