import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { ThreadStore } from '../threads/threads.ts';
import { answersOf, emailIdOfSpam, type ThreadNode } from '../threads/thread-node.ts';
import { createThreads, type Threads } from '../threads/threads.ts';
import { finalizeWaiting } from '../threads/waiting.ts';
import type { WaitingStore } from '../threads/waiting-store.ts';
import type { CompletedEmails } from './completed-emails.ts';
import type { UnfinishedEmail, UnfinishedStore } from './unfinished-store.ts';

export { type CompletedEmails, createCompletedEmails, withCompleted } from './completed-emails.ts';

export interface FinalizingDeps {
  completed: Pick<CompletedEmails, 'add'>;
  unfinished: UnfinishedStore;
  waiting: WaitingStore;
  threads: Threads;
}

type FinalizingStores = Pick<FinalizingDeps, 'unfinished' | 'waiting'> & { threads: ThreadStore };

export function createFinalizing(
  { unfinished, waiting, threads }: FinalizingStores,
  completed: FinalizingDeps['completed'],
): FinalizingDeps {
  return { completed, unfinished, waiting, threads: createThreads(threads) };
}

/**
 * The work after an email is stored: its thread, and the emails that wait for a reply in it. The email is marked until it
 * is done, so that a repeat or the sweep completes it after a crash or a failed insert. Safe to repeat. `nodes` has the
 * thread nodes that were read already, by email.
 */
export async function finalize(
  { unfinished, waiting, threads }: FinalizingDeps,
  mailbox: MailboxDocument,
  emails: readonly UnfinishedEmail[],
  { nodes, isRepeat }: { nodes?: ReadonlyMap<string, ThreadNode>; isRepeat: boolean },
): Promise<void> {
  if (emails.length === 0) return;
  const { workspaceId, _id: mailboxId } = mailbox;
  const linked = emails.filter(({ threadKey }) => threadKey !== '');
  const threadIds = await threads.link(
    workspaceId,
    mailboxId,
    linked.map((email) => ({ emailId: email._id, node: nodes?.get(email._id) ?? nodeOf(email) })),
    { isRepeat },
  );
  await finalizeWaiting(
    waiting,
    mailbox,
    emails.map((email) => ({ ...email, threadId: threadIds.get(email._id) ?? email.threadId })),
  );
  await unfinished.markComplete(
    workspaceId,
    emails.map(({ _id }) => _id),
  );
}

/**
 * The same for emails that this call has just stored. Where it is one, its thread is checked by the write that marks it,
 * and not by a read: another process that has moved it meanwhile makes that write find nothing, and the sweep finalizes it
 * again. True where the email is as it was stored.
 */
export async function finalizeStored(
  deps: FinalizingDeps,
  mailbox: MailboxDocument,
  emails: readonly UnfinishedEmail[],
  nodes: ReadonlyMap<string, ThreadNode>,
): Promise<boolean> {
  const [only] = emails;
  const node = only && nodes.get(only._id);
  if (emails.length !== 1 || !node || only.threadKey === '') {
    await finalize(deps, mailbox, emails, { nodes, isRepeat: false });
    return false;
  }
  const { workspaceId, _id: mailboxId } = mailbox;
  const { _id: emailId, threadKey, messageKey } = only;
  const asStored = [{ _id: emailId, threadKey, threadId: only.threadId }];
  const threads = await deps.threads.link(workspaceId, mailboxId, [{ emailId, node }], { asStored });
  const threadId = threads.get(emailId) ?? '';
  await finalizeWaiting(deps.waiting, mailbox, [{ ...only, threadId }]);
  deps.completed.add({ _id: emailId, workspaceId, threadId, threadKey, messageKey });
  // An answer that was stored earlier may have ended its waiting.
  return threadId === only.threadId && !only.waitingForReply;
}

/** The same for emails that may be complete already. */
export async function finish(
  deps: FinalizingDeps,
  mailbox: MailboxDocument,
  emailIds: readonly string[],
  { isRepeat }: { isRepeat: boolean },
): Promise<void> {
  if (emailIds.length === 0) return;
  await finalize(deps, mailbox, await deps.unfinished.findUnfinished(mailbox.workspaceId, emailIds), { isRepeat });
}

function nodeOf(email: UnfinishedEmail): ThreadNode {
  const answers = answersOf(email, emailIdOfSpam(email.threadKey) !== undefined);
  return { messageId: email.threadKey, answers, threadId: '' };
}
