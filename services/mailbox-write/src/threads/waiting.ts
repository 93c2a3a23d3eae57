import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { isOwnAddress } from '../ingest/email-document.ts';
import type { Answerable, WaitingStore } from './waiting-store.ts';

/** What a batch brought: the emails that were stored, and those of them that say that no person wrote them. */
export interface Brought {
  written: readonly EmailDocument[];
  automatic: ReadonlySet<string>;
}

/**
 * `waitingForReply` is an estimate: a sent email that asks something, and after which nobody else has written in its
 * thread. New answers end the waiting of what was sent before, and a sent email that comes late meets the answers that
 * came early. Both sides look after they were stored, so that one of two that come at once sees the other.
 */
export async function settleWaiting(waiting: WaitingStore, mailbox: MailboxDocument, brought: Brought): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const asked = brought.written.filter(({ waitingForReply }) => waitingForReply);
  const answers = brought.written.filter((email) => isAnswer(mailbox, email, brought.automatic));
  const own = [mailbox, ...mailbox.aliases].map(({ email }) => email.toLowerCase());
  const [unanswered, earlier] = await Promise.all([
    answers.length === 0 ? [] : waiting.findWaiting(workspaceId, mailboxId, threadsOf(answers)),
    asked.length === 0 ? [] : waiting.findAnswers(workspaceId, mailboxId, threadsOf(asked), own),
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

function isAnswer(mailbox: MailboxDocument, email: EmailDocument, automatic: ReadonlySet<string>): boolean {
  const { folderType, inReplyTo, references } = email;
  const isFirst = inReplyTo === null && references.length === 0;
  if (isFirst || automatic.has(email._id) || folderType === 'SENT' || folderType === 'DRAFTS') return false;
  return !isOwnAddress(mailbox, email.senderAddress);
}

function isAnswerTo(answer: Answerable, sent: Answerable): boolean {
  return answer.threadId === sent.threadId && answer.date >= sent.date;
}

function threadsOf(emails: readonly Answerable[]): string[] {
  return [...new Set(emails.map(({ threadId }) => threadId ?? ''))];
}
