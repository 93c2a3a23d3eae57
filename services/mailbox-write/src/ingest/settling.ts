import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { answersOf, emailIdOfSpam, type ThreadNode } from '../threads/thread-node.ts';
import type { Stores } from '../stores.ts';
import { createThreads, type Threads } from '../threads/threads.ts';
import { settleWaiting } from '../threads/waiting.ts';
import type { WaitingStore } from '../threads/waiting-store.ts';
import type { Unsettled, UnsettledStore } from './unsettled-store.ts';

export interface SettlingDeps {
  unsettled: UnsettledStore;
  waiting: WaitingStore;
  threads: Threads;
}

export function createSettling({ unsettled, waiting, threads }: Stores): SettlingDeps {
  return { unsettled, waiting, threads: createThreads(threads) };
}

/**
 * The work after an email is stored: its thread, and the emails that wait for a reply in it. The email is marked until it
 * is done, so that a repeat or the sweep completes it after a crash or a failed insert. Safe to repeat. `nodes` has the
 * thread nodes that were read already, by email.
 */
export async function settle(
  { unsettled, waiting, threads }: SettlingDeps,
  mailbox: MailboxDocument,
  emails: readonly Unsettled[],
  nodes: ReadonlyMap<string, ThreadNode> = new Map(),
): Promise<void> {
  if (emails.length === 0) return;
  const { workspaceId, _id: mailboxId } = mailbox;
  const linked = emails.filter(({ threadKey }) => threadKey !== '');
  const threadIds = await threads.settle(
    workspaceId,
    mailboxId,
    linked.map((email) => ({ emailId: email._id, node: nodes.get(email._id) ?? nodeOf(email) })),
  );
  await settleWaiting(
    waiting,
    mailbox,
    emails.map((email) => ({ ...email, threadId: threadIds.get(email._id) ?? email.threadId })),
  );
  await unsettled.markSettled(
    workspaceId,
    emails.map(({ _id }) => _id),
  );
}

/** The same for emails that may be complete already. */
export async function finish(deps: SettlingDeps, mailbox: MailboxDocument, emailIds: readonly string[]): Promise<void> {
  if (emailIds.length > 0)
    await settle(deps, mailbox, await deps.unsettled.findUnsettled(mailbox.workspaceId, emailIds));
}

function nodeOf(email: Unsettled): ThreadNode {
  const answers = answersOf(email, emailIdOfSpam(email.threadKey) !== undefined);
  return { messageId: email.threadKey, answers, threadId: '' };
}
