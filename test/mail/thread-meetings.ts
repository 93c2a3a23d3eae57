import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { finalize, type FinalizingDeps, finalizeStored } from '../../services/mailbox-write/src/ingest/finalizing.ts';
import type { CompletedEmail, UnfinishedEmail } from '../../services/mailbox-write/src/ingest/unfinished-store.ts';
import { answersOf, nodeName, type ThreadNode } from '../../services/mailbox-write/src/threads/thread-node.ts';
import type { ThreadStore } from '../../services/mailbox-write/src/threads/thread-store.ts';
import { createThreads } from '../../services/mailbox-write/src/threads/threads.ts';
import { type AtCall, watched } from '../support/interleavings.ts';

interface Drawn {
  id: string;
  answers?: string[];
  isSpam?: true;
}

export interface Meeting {
  name: string;
  /** The messages that are stored before. */
  there: Drawn[];
  /** The messages that each of two processes stores. */
  bring: Drawn[][];
  threads: string[][];
}

export const meetings: Meeting[] = [
  {
    name: 'a question and its answer',
    there: [],
    bring: [[{ id: 'q' }], [{ id: 'a', answers: ['q'] }]],
    threads: [['a', 'q']],
  },
  {
    name: 'two answers to the same missing message',
    there: [],
    bring: [[{ id: 'a', answers: ['gone'] }], [{ id: 'b', answers: ['gone'] }]],
    threads: [['a', 'b']],
  },
  {
    name: 'two that join what was apart',
    there: [{ id: 'a' }, { id: 'c', answers: ['b'] }, { id: 'e', answers: ['d'] }],
    bring: [[{ id: 'b', answers: ['a'] }], [{ id: 'd', answers: ['c'] }]],
    threads: [['a', 'b', 'c', 'd', 'e']],
  },
  {
    name: 'one that joins two threads, and an answer to the last message of one of them',
    there: [{ id: 'a' }, { id: 'c', answers: ['b'] }, { id: 'd', answers: ['c'] }],
    bring: [[{ id: 'b', answers: ['a'] }], [{ id: 'e', answers: ['d'] }]],
    threads: [['a', 'b', 'c', 'd', 'e']],
  },
  {
    name: 'a missing middle that parts a thread, and an answer to what moves',
    there: [{ id: 'q' }, { id: 'other' }, { id: 'late', answers: ['lost', 'q'] }],
    bring: [[{ id: 'lost', answers: ['other'] }], [{ id: 'later', answers: ['late'] }]],
    threads: [['late', 'later', 'lost', 'other'], ['q']],
  },
  {
    name: 'one that parts a thread while another joins it to a third',
    there: [{ id: 'q', answers: ['p'] }, { id: 'late', answers: ['lost', 'q'] }, { id: 'z' }],
    bring: [[{ id: 'lost' }], [{ id: 'p', answers: ['z'] }]],
    threads: [
      ['late', 'lost'],
      ['p', 'q', 'z'],
    ],
  },
  {
    name: 'spam that joins what is on the move',
    there: [{ id: 'b', answers: ['a'] }],
    bring: [[{ id: 'a', answers: ['z'] }, { id: 'z' }], [{ id: 'spam', answers: ['b'], isSpam: true }]],
    threads: [['a', 'b', 'spam', 'z']],
  },
];

/** Nodes and emails in memory, with the calls that the real store has. */
export function memoryStore() {
  const nodes = new Map<string, ThreadNode>();
  const emails = new Map<string, { _id: string; threadKey: string; threadId: string; isUnsettled: boolean }>();
  const findNodes = async (wanted: (node: ThreadNode) => boolean) =>
    [...nodes.values()].filter(wanted).map((node) => ({ ...node }));
  const move = async (wanted: (email: { _id: string; threadKey: string }) => boolean, threadId: string) => {
    const elsewhere = [...emails.values()].filter((email) => wanted(email) && email.threadId !== threadId);
    for (const email of elsewhere) email.threadId = threadId;
    return elsewhere.length;
  };
  const store: ThreadStore = {
    findNodes: (_, __, names) => findNodes(({ messageId }) => names.includes(messageId)),
    findAnswering: (_, __, names) => findNodes(({ answers = [] }) => answers.some((name) => names.includes(name))),
    findAround: (_, __, { names, answered }) =>
      findNodes(
        ({ messageId, answers = [] }) => names.includes(messageId) || answers.some((name) => answered.includes(name)),
      ),
    findThreads: (_, __, threadIds) => findNodes(({ threadId }) => threadIds.includes(threadId)),
    hasFew: async (_, __, threadIds, most) =>
      (await findNodes(({ threadId }) => threadIds.includes(threadId))).length <= most,
    insertNodes: async (_, __, fresh) => {
      for (const node of fresh) if (!nodes.has(node.messageId)) nodes.set(node.messageId, { ...node });
    },
    moveNodes: async (_, __, names, threadId) => {
      for (const name of names) nodes.set(name, { ...(nodes.get(name) as ThreadNode), threadId });
    },
    findEmailThreads: async (_, emailIds) =>
      emailIds.flatMap((id) => emails.get(id) ?? []).map((email) => ({ ...email })),
    moveEmails: (_, __, names, threadId) => move(({ threadKey }) => names.includes(threadKey), threadId),
    moveEmailsById: (_, emailIds, threadId) => move(({ _id }) => emailIds.includes(_id), threadId),
  };
  const insertEmail = async (_id: string, node: ThreadNode) => {
    emails.set(_id, { _id, threadKey: node.messageId, threadId: node.threadId, isUnsettled: true });
  };
  const complete = (ids: readonly string[]) => {
    for (const id of ids) Object.assign(emails.get(id) ?? {}, { isUnsettled: false });
  };
  const unfinished = {
    markComplete: async (_workspaceId: string, ids: readonly string[]) => complete(ids),
    everyWorkspacesComplete: async (completed: readonly CompletedEmail[]) =>
      complete(completed.flatMap(({ _id, threadId }) => (emails.get(_id)?.threadId === threadId ? [_id] : []))),
  } as unknown as FinalizingDeps['unfinished'];
  return { store, insertEmail, emails, unfinished };
}

type Memory = ReturnType<typeof memoryStore>;

const MAILBOX = { _id: 'mbx', workspaceId: 'wsp' } as MailboxDocument;
/** Nobody waits for an answer from it, and it answers nobody. */
const UNRELATED = { folderType: 'SENT', waitingForReply: false } as unknown as UnfinishedEmail;

/** Stores messages in the steps of ingest: assign the threads, insert the emails, finalize the threads. */
export async function takeIn(
  { store, insertEmail, unfinished }: Memory,
  messages: readonly Drawn[],
  at: AtCall,
): Promise<void> {
  const threads = createThreads(watched(store, at));
  const nodes = messages.map((message) => {
    const { id, isSpam = false } = message;
    const answers = answersOf({ messageId: id, ...answering(message) }, isSpam);
    return { messageId: nodeName(id, id, isSpam), answers, threadId: '' };
  });
  const assigned = await threads.assign('wsp', 'mbx', nodes, true);
  for (const [n, node] of assigned.entries()) await at('insertEmail', () => insertEmail(messages[n]?.id ?? '', node));
  const written = assigned.map((node, n) => ({
    ...UNRELATED,
    _id: messages[n]?.id ?? '',
    ...node,
    threadKey: node.messageId,
  }));
  const complete: CompletedEmail[] = [];
  const deps = {
    ...finalizingOf({ unfinished: watched(unfinished, at), threads }),
    completed: { add: (email: CompletedEmail) => void complete.push(email) },
  };
  await finalizeStored(deps, MAILBOX, written, new Map(assigned.map((node, n) => [messages[n]?.id ?? '', node])));
  await deps.unfinished.everyWorkspacesComplete(complete);
}

const finalizingOf = (stores: Pick<FinalizingDeps, 'unfinished' | 'threads'>): FinalizingDeps => ({
  ...stores,
  waiting: {} as FinalizingDeps['waiting'],
  completed: { add: () => undefined },
});

/** The messages come again, as after a crash: those that are stored are completed, and the others are taken in. */
export async function takeInAgain(memory: Memory, messages: readonly Drawn[]): Promise<void> {
  const { store, emails, unfinished } = memory;
  const deps = finalizingOf({ unfinished, threads: createThreads(store) });
  for (const message of messages) {
    const stored = emails.get(message.id);
    if (!stored) await takeIn(memory, [message], atOnce);
    else if (stored.isUnsettled)
      await finalize(deps, MAILBOX, [{ ...UNRELATED, ...answering(message), ...stored }], { isRepeat: true });
  }
}

/** The headers from which a stored email is linked again. */
function answering({ answers: [inReplyTo, ...references] = [] }: Drawn) {
  return { inReplyTo: inReplyTo ?? null, references: references.reverse() };
}

export function threadsOf({ emails }: Memory): string[][] {
  const threads = new Map<string, string[]>();
  for (const { _id, threadId } of emails.values()) threads.set(threadId, [...(threads.get(threadId) ?? []), _id]);
  return [...threads.values()].map((ids) => ids.sort()).sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

export const atOnce: AtCall = (_, call) => call();
