import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { Answerable, EmailStore } from '../ingest/email-store.ts';

/**
 * `waitingForReply` is an estimate: a sent email that asks something, and after which nobody else has written in its
 * thread. Whoever answers ends the waiting; mail that says it is automatic answers nothing.
 */
export async function settleWaiting(
  emails: EmailStore,
  mailbox: MailboxDocument,
  threadIds: readonly string[],
): Promise<void> {
  const { workspaceId, _id: mailboxId } = mailbox;
  if (threadIds.length === 0) return;
  const waiting = await emails.findWaiting(workspaceId, mailboxId, threadIds);
  if (waiting.length === 0) return;

  const own = [mailbox, ...mailbox.aliases].map(({ email }) => email.toLowerCase());
  const theirThreads = [...new Set(waiting.map(({ threadId }) => threadId ?? ''))];
  const answers = await emails.findAnswers(workspaceId, mailboxId, theirThreads, own);
  const answered = waiting.filter((sent) => answers.some((answer) => isAnswerTo(answer, sent))).map(({ _id }) => _id);
  if (answered.length > 0) await emails.stopWaiting(workspaceId, answered);
}

function isAnswerTo(answer: Answerable, sent: Answerable): boolean {
  return answer.threadId === sent.threadId && answer.date >= sent.date;
}
