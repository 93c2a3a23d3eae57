import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import type { LocatedArrival } from './which-email.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/**
 * Some mail servers give a message that they send another Message-ID. Answers name that one, so it belongs to the same
 * thread as the Message-ID that the message had here.
 */
export async function linkOtherMessageId(
  { finalizing: { threads } }: Pick<ReconcileDeps, 'finalizing'>,
  { workspaceId, _id: mailboxId }: MailboxDocument,
  { _id: emailId, messageId, threadKey, threadId }: EmailAsRead,
  { incoming, mail }: LocatedArrival,
): Promise<void> {
  const isRenamed = incoming.folderType === 'SENT' && mail.hasOwnMessageId && mail.messageId !== messageId;
  if (!isRenamed || threadKey === '') return;
  const node = { messageId: mail.messageId, answers: [threadKey], threadId: threadId ?? '' };
  await threads.link(workspaceId, mailboxId, [{ emailId, node }]);
}
