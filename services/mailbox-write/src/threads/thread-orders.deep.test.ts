import { describe, expect, it } from '@jest/globals';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { type FinalizingDeps, finalizeStored } from '../ingest/finalizing.ts';
import type { UnfinishedEmail } from '../ingest/unfinished-store.ts';
import { answersOf, nodeName, type ThreadNode } from './thread-node.ts';
import type { ThreadStore } from './thread-store.ts';
import { createThreads } from './threads.ts';
import { type AtCall, ordersOfTwo, interleave, watched } from '../../../../test/support/interleavings.ts';

interface Drawn {
  id: string;
  answers?: string[];
  isSpam?: true;
}

interface Meeting {
  name: string;
  /** The messages that are stored before. */
  there: Drawn[];
  /** The messages that each of two processes stores. */
  bring: Drawn[][];
  threads: string[][];
}

const meetings: Meeting[] = [
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
function memoryStore() {
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
    markCompleteInThread: async (_workspaceId: string, id: string, threadId: string) => {
      if (emails.get(id)?.threadId !== threadId) return false;
      complete([id]);
      return true;
    },
  } as unknown as FinalizingDeps['unfinished'];
  return { store, insertEmail, emails, unfinished };
}

type Memory = ReturnType<typeof memoryStore>;

const MAILBOX = { _id: 'mbx', workspaceId: 'wsp' } as MailboxDocument;
/** Nobody waits for an answer from it, and it answers nobody. */
const UNRELATED = { folderType: 'SENT', waitingForReply: false } as unknown as UnfinishedEmail;

/** Stores messages in the steps of ingest: assign the threads, insert the emails, finalize the threads. */
async function takeIn(
  { store, insertEmail, unfinished }: Memory,
  messages: readonly Drawn[],
  at: AtCall,
): Promise<void> {
  const threads = createThreads(watched(store, at));
  const nodes = messages.map(({ id, answers: [inReplyTo = null, ...references] = [], isSpam = false }) => ({
    messageId: nodeName(id, id, isSpam),
    answers: answersOf({ messageId: id, inReplyTo, references: references.reverse() }, isSpam),
    threadId: '',
  }));
  const assigned = await threads.assign('wsp', 'mbx', nodes);
  for (const [n, node] of assigned.entries()) await at('insertEmail', () => insertEmail(messages[n]?.id ?? '', node));
  const written = assigned.map((node, n) => ({
    ...UNRELATED,
    _id: messages[n]?.id ?? '',
    ...node,
    threadKey: node.messageId,
  }));
  const deps = { threads, waiting: {} as FinalizingDeps['waiting'], unfinished: watched(unfinished, at) };
  await finalizeStored(deps, MAILBOX, written, new Map(assigned.map((node, n) => [messages[n]?.id ?? '', node])));
}

function threadsOf({ emails }: Memory): string[][] {
  const threads = new Map<string, string[]>();
  for (const { _id, threadId } of emails.values()) threads.set(threadId, [...(threads.get(threadId) ?? []), _id]);
  return [...threads.values()].map((ids) => ids.sort()).sort((a, b) => (String(a) < String(b) ? -1 : 1));
}

const atOnce: AtCall = (_, call) => call();

async function play({ there, bring }: Meeting, schedule: (call: number) => number) {
  const memory = memoryStore();
  for (const message of there) await takeIn(memory, [message], atOnce);
  const calls = await interleave(
    bring.map((messages) => (at: AtCall) => takeIn(memory, messages, at)),
    schedule,
  );
  expect([...memory.emails.values()].filter(({ isUnsettled }) => isUnsettled)).toEqual([]);
  return { calls, threads: threadsOf(memory) };
}

describe('two processes that take in one mailbox come to the same threads in every order of their store calls', () => {
  it.each(meetings)('$name', async (meeting) => {
    const { calls } = await play(meeting, (call) => call % 2);
    let orders = 0;
    for (const schedule of ordersOfTwo(calls)) {
      orders += 1;
      expect([orders, (await play(meeting, schedule)).threads]).toEqual([orders, meeting.threads]);
    }
    expect(orders).toBeGreaterThan(100);
  });
});
