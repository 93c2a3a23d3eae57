import { deterministicId } from '@postroom/runtime/deterministic-id';
import { type Besides, finderOf, findConnections, type Sight } from './find-connections.ts';
import { emailIdOfSpam, type ThreadNode } from './thread-node.ts';
import type { EmailThread, ThreadStore } from './thread-store.ts';

export type { ThreadStore } from './thread-store.ts';

interface EmailNode {
  emailId: string;
  /** It has no thread before the first pass. */
  node: ThreadNode;
}

export interface Threads {
  /**
   * The same messages with the thread that each belongs to, as far as can be seen now; nothing is written. A new message
   * that answers nothing begins a thread, and nothing is read: `link` finds an answer that came before it.
   */
  assign(
    workspaceId: string,
    mailboxId: string,
    messages: readonly ThreadNode[],
    isNew?: boolean,
  ): Promise<ThreadNode[]>;
  /**
   * Links stored emails, and moves them and their connected emails into their threads. `asStored` are the threads that they
   * were stored with a moment ago: they are not read first, so the caller has to check that the emails are still in the
   * threads that this returns. A repeat also checks all emails of these threads, a page at a time, and what answers
   * them: the call before it may have moved some of them when its links were not the last ones, and then ended.
   */
  link(
    workspaceId: string,
    mailboxId: string,
    emails: readonly EmailNode[],
    { asStored, isRepeat }?: { asStored?: readonly EmailThread[]; isRepeat?: boolean },
  ): Promise<Map<string, string>>;
}

/** Each further pass means that another process wrote to the same threads meanwhile. */
const MOST_PASSES = 50;
const MOVED_AT_ONCE = 500;
/** They are in memory whole, each with the ids of a hundred others at the most. */
const MOST_CHECKED = 200;

/**
 * Threads depend on the messages alone: first a message is linked, then its neighbours are read, and emails in other
 * threads are moved. The last pass changes nothing, so of several processes the last one has seen the links of all.
 */
export function createThreads(store: ThreadStore): Threads {
  const ownThread = (workspaceId: string, mailboxId: string) => (name: string) =>
    deterministicId('thr', workspaceId, mailboxId, name);
  const connections = (workspaceId: string, mailboxId: string, messages: readonly ThreadNode[], besides: Touched) =>
    findConnections(finderOf(store, workspaceId, mailboxId), messages, besides, ownThread(workspaceId, mailboxId));

  return {
    assign: async (workspaceId, mailboxId, messages, isNew = false) => {
      const [first, ...others] = messages;
      if (!first) return [];
      if (isNew && others.length === 0 && first.answers?.length === 0)
        return [{ ...first, threadId: ownThread(workspaceId, mailboxId)(first.messageId) }];
      const { nodes } = await connections(workspaceId, mailboxId, messages, nothing());
      return messages.map((node) => nodes.get(node.messageId) as ThreadNode);
    },
    link: async (workspaceId, mailboxId, emails, { asStored, isRepeat = false } = {}) => {
      const touched = nothing();
      let isChecking = false;
      const emailIds = emails.map(({ emailId }) => emailId);
      const nodes = [...new Map(emails.map(({ node }) => [node.messageId, node])).values()];
      const assigned = nodes.filter(({ threadId }) => threadId !== '');
      if (assigned.length > 0) await store.insertNodes(workspaceId, mailboxId, assigned);
      for (let pass = 0; emails.length > 0; pass++) {
        if (pass === MOST_PASSES) throw new Error('threads not linked: too many calls write in them at once');
        // All of these reads come after the last write of this call.
        const [sight, emailThreads] = await Promise.all([
          connections(workspaceId, mailboxId, nodes, touched),
          pass === 0 && asStored ? asStored : store.findEmailThreads(workspaceId, emailIds),
        ]);
        if (sight.fresh.length > 0) await store.insertNodes(workspaceId, mailboxId, sight.fresh);
        if (isChecking) for (const name of sight.threads.keys()) touched.names.add(name);
        await moveNodes(store, workspaceId, mailboxId, sight, touched);
        const moved = await moveEmails(store, workspaceId, mailboxId, sight, { emailThreads, touched });
        if (sight.fresh.length > 0 || sight.moves.size > 0 || moved > 0) continue;
        const threadIds = new Set(sight.threads.values());
        if (isChecking || !isRepeat || !(await store.hasFew(workspaceId, mailboxId, [...threadIds], MOST_CHECKED)))
          return threadsOf(emails, sight);
        isChecking = true;
        Object.assign(touched, { threadIds, withAnswers: true });
      }
      return new Map();
    },
  };
}

const threadsOf = (emails: readonly EmailNode[], { threads }: Sight): Map<string, string> =>
  new Map(emails.map(({ emailId, node }) => [emailId, threads.get(node.messageId) as string]));

/** The threads that this call changed. Others may have changed them at the same time, so they are read again. */
interface Touched extends Besides {
  names: Set<string>;
  threadIds: Set<string>;
}

const nothing = (): Touched => ({ names: new Set(), threadIds: new Set() });

async function moveNodes(store: ThreadStore, workspaceId: string, mailboxId: string, sight: Sight, touched: Touched) {
  for (const [threadId, nodes] of sight.moves) {
    touched.threadIds.add(threadId);
    for (const node of nodes) {
      touched.threadIds.add(node.threadId);
      touched.names.add(node.messageId);
    }
    for (const names of chunks(nodes.map(({ messageId }) => messageId))) {
      // Emails come first: after a crash the nodes are still apart, and a repeat sees that.
      await moveByNames(store, workspaceId, mailboxId, names, threadId);
      await store.moveNodes(workspaceId, mailboxId, names, threadId);
    }
  }
}

async function moveEmails(
  store: ThreadStore,
  workspaceId: string,
  mailboxId: string,
  { threads }: Sight,
  { emailThreads, touched }: { emailThreads: readonly EmailThread[]; touched: Touched },
): Promise<number> {
  const astray = emailThreads.filter(({ threadKey, threadId }) => threads.get(threadKey) !== threadId);
  let moved = 0;
  for (const [threadId, found] of groupBy(astray, ({ threadKey }) => threads.get(threadKey))) {
    const ids = found.map(({ _id }) => _id);
    moved += await store.moveEmailsById(workspaceId, ids, threadId);
  }
  for (const [threadId, names] of groupBy([...touched.names], (name) => threads.get(name))) {
    for (const some of chunks(names)) moved += await moveByNames(store, workspaceId, mailboxId, some, threadId);
  }
  return moved;
}

async function moveByNames(
  store: ThreadStore,
  workspaceId: string,
  mailboxId: string,
  names: readonly string[],
  threadId: string,
): Promise<number> {
  const inSpam = names.flatMap((name) => emailIdOfSpam(name) ?? []);
  const others = names.filter((name) => emailIdOfSpam(name) === undefined);
  const moved = others.length === 0 ? 0 : await store.moveEmails(workspaceId, mailboxId, others, threadId);
  return inSpam.length === 0 ? moved : moved + (await store.moveEmailsById(workspaceId, inSpam, threadId));
}

function groupBy<T>(items: readonly T[], threadOf: (item: T) => string | undefined): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const threadId = threadOf(item);
    if (threadId !== undefined) groups.set(threadId, [...(groups.get(threadId) ?? []), item]);
  }
  return groups;
}

function chunks<T>(items: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(items.length / MOVED_AT_ONCE) }, (_, n) =>
    items.slice(n * MOVED_AT_ONCE, (n + 1) * MOVED_AT_ONCE),
  );
}
