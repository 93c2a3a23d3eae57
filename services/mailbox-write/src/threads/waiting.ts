import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isOwnAddress, ownAddresses } from '../own-address/own-address.ts';
import type { Answerable, WaitingStore } from './waiting-store.ts';

/** The fields of an email that decide whether another one still waits for a reply. */
export type Brought = Answerable &
  Pick<EmailDocument, 'folderType' | 'inReplyTo' | 'references' | 'senderAddress' | 'isAutomatic' | 'waitingForReply'>;

/**
 * `waitingForReply` is an estimate: a sent email that asks something, and after which nobody else has written in its
 * thread. New answers end the waiting of what was sent before, and a sent email that comes late meets the answers that
 * came early. Both sides look after they were stored, so that one of two that come at once sees the other.
 */
export async function finalizeWaiting(
  waiting: WaitingStore,
  mailbox: MailboxDocument,
  brought: readonly Brought[],
): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const asked = brought.filter(({ waitingForReply }) => waitingForReply);
  const answers = brought.filter((email) => isAnswer(mailbox, email));
  const [unanswered, earlier] = await Promise.all([
    answers.length === 0 ? [] : waiting.findWaiting(workspaceId, mailboxId, threadsOf(answers)),
    asked.length === 0 ? [] : waiting.findAnswers(workspaceId, mailboxId, threadsOf(asked), ownAddresses(mailbox)),
  ]);
  const answered = [
    ...unanswered.filter((sent) => answers.some((answer) => isAnswerTo(answer, sent))),
    ...asked.filter((sent) => earlier.some((answer) => isAnswerTo(answer, sent))),
  ];
  if (answered.length > 0)
    await waiting.stopWaiting(
      workspaceId,
      answered.map(({ _id }) => _id),
    );
}

function isAnswer(mailbox: MailboxDocument, email: Brought): boolean {
  const { folderType, inReplyTo, references } = email;
  const isFirst = inReplyTo === null && references.length === 0;
  if (isFirst || email.isAutomatic || folderType === 'SENT' || folderType === 'DRAFTS') return false;
  return !isOwnAddress(mailbox, email.senderAddress);
}

function isAnswerTo(answer: Answerable, sent: Answerable): boolean {
  return answer.threadId === sent.threadId && answer.date >= sent.date;
}

function threadsOf(emails: readonly Answerable[]): string[] {
  return [...new Set(emails.map(({ threadId }) => threadId ?? ''))];
}
