import { gather, type Group, groupThreads, idsOf, type NewThreadId } from './thread-groups.ts';
import { tieOf, type ThreadNode, upToKnown } from './thread-node.ts';
import type { Around, ThreadStore } from './thread-store.ts';

export interface Sight {
  /** Every message that was seen; those not linked yet as they are to be. */
  nodes: Map<string, ThreadNode>;
  /** The thread of each message that was read, the requested ones included. */
  threads: Map<string, string>;
  /** Messages of these that are not linked yet, as they should be. */
  fresh: ThreadNode[];
  /** Linked messages that belong to another thread than theirs, by that other one. */
  moves: Map<string, ThreadNode[]>;
}

interface Finder extends Record<
  'nodes' | 'answering' | 'threads',
  (names: readonly string[]) => Promise<ThreadNode[]>
> {
  around(asked: Around): Promise<ThreadNode[]>;
}

interface View {
  find: Finder;
  nodes: Map<string, ThreadNode>;
  /** The ids that were searched, found or not. */
  asked: Set<string>;
  /** Threads with all their messages in memory. The few messages of other threads do not show how the rest connects. */
  open: Set<string>;
  /** Whether what answers the messages of an open thread is read, too. */
  withAnswers: boolean;
}

/** More to read than the messages and their neighbours. */
export interface Besides {
  names: Iterable<string>;
  threadIds: Iterable<string>;
  /** Of the messages of these threads, too: an answer may be in another thread. */
  withAnswers?: boolean;
}

/** Ids are long where a stranger makes them so, and a command has 16 MB at the most. */
const ASKED_AT_ONCE = 1_000;

export function finderOf(store: ThreadStore, workspaceId: string, mailboxId: string): Finder {
  const unlessNone =
    (find: (workspace: string, mailbox: string, names: readonly string[]) => Promise<ThreadNode[]>) =>
    async (names: readonly string[]) => (names.length === 0 ? [] : find(workspaceId, mailboxId, names));
  return {
    nodes: unlessNone(store.findNodes),
    answering: unlessNone(store.findAnswering),
    threads: unlessNone(store.findThreads),
    around: (asked) => store.findAround(workspaceId, mailboxId, asked),
  };
}

/**
 * Finds how messages, linked or not yet linked, connect with the stored ones. Mostly each message joins one thread or
 * none, and a few nodes around it are enough. If threads merge or split, all their nodes are read.
 */
export async function findConnections(
  find: Finder,
  messages: readonly ThreadNode[],
  besides: Besides,
  newThreadId: NewThreadId,
): Promise<Sight> {
  const { withAnswers = false } = besides;
  const view: View = { find, nodes: new Map(), asked: new Set(), open: new Set(), withAnswers };
  const named = messages.flatMap((node) => [node.messageId, ...answersOf(node)]);
  const names = [...new Set(messages.map(({ messageId }) => messageId))];
  for (const name of [...named, ...besides.names]) view.asked.add(name);
  const around = await find.around({ names: [...view.asked], answered: names });
  for (const node of around) if (view.asked.has(node.messageId)) view.nodes.set(node.messageId, node);
  const answering = around.filter((node) => answersOf(node).some((name) => names.includes(name)));
  for (const node of messages) {
    if (!view.nodes.has(node.messageId)) view.nodes.set(node.messageId, { ...node, threadId: '' });
  }

  const changed = await findNeighbours(view, names, answering);
  let wanted = new Set([...besides.threadIds, ...changed]);
  for (;;) {
    await openThreads(view, wanted);
    wanted = new Set(gather([...view.nodes.values()]).flatMap((group) => mixedIds(view, group)));
    if ([...wanted].every((id) => view.open.has(id))) return conclude(view, newThreadId);
  }
}

/** The messages that answer these, or the same missing one. Returns the threads of those with a changed parent. */
async function findNeighbours(view: View, messages: readonly string[], toThem: ThreadNode[]): Promise<string[]> {
  const isKnown = (name: string) => view.nodes.has(name);
  const names = new Set(messages);
  const nodes = messages.flatMap((name) => view.nodes.get(name) ?? []);
  const missing = nodes.flatMap((node) => tieOf(node, isKnown) ?? []).filter((tie) => !isKnown(tie));
  const answering = [...toThem, ...(await view.find.answering([...new Set(missing)]))];
  for (const node of answering) view.nodes.set(node.messageId, node);
  await askFor(view, answering.flatMap(answersOf));
  return answering
    .filter((node) => {
      const tie = tieOf(node, isKnown);
      const before = tieOf(node, (name) => isKnown(name) && !names.has(name));
      return tie !== null && names.has(tie) && tie !== before;
    })
    .map(({ threadId }) => threadId);
}

async function openThreads(view: View, threadIds: ReadonlySet<string>): Promise<void> {
  const ids = [...threadIds].filter((id) => id !== '' && !view.open.has(id));
  for (const id of ids) view.open.add(id);
  const members = await view.find.threads(ids);
  const answering = view.withAnswers ? await view.find.answering(members.map(({ messageId }) => messageId)) : [];
  for (const node of [...members, ...answering]) view.nodes.set(node.messageId, node);
  await askFor(view, members.flatMap(answersOf));
}

async function askFor(view: View, names: readonly string[]): Promise<void> {
  const unasked = [...new Set(names)].filter((name) => !view.asked.has(name) && !view.nodes.has(name));
  for (const name of unasked) view.asked.add(name);
  for (let from = 0; from < unasked.length; from += ASKED_AT_ONCE) {
    const found = await view.find.nodes(unasked.slice(from, from + ASKED_AT_ONCE));
    for (const node of found) view.nodes.set(node.messageId, node);
  }
}

/** Threads that meet in this group; also the one that meets none but is open, so that its parts are all seen. */
function mixedIds({ open }: View, { nodes }: Group): string[] {
  const ids = idsOf(nodes);
  return ids.length > 1 || ids.some((id) => open.has(id)) ? ids : [];
}

function conclude(view: View, newThreadId: NewThreadId): Sight {
  const groups = gather([...view.nodes.values()]);
  const isWhole = (group: Group) => mixedIds(view, group).length > 0;
  const belongs = new Map<ThreadNode, string>();
  for (const group of groups.filter((candidate) => !isWhole(candidate))) {
    const threadId = idsOf(group.nodes)[0] ?? newThreadId(group.name);
    for (const node of group.nodes) belongs.set(node, threadId);
  }
  const whole = groups.filter(isWhole).flatMap(({ nodes }) => nodes);
  for (const [node, threadId] of groupThreads(whole, newThreadId)) belongs.set(node, threadId);

  const sight: Sight = { nodes: new Map(view.nodes), threads: new Map(), fresh: [], moves: new Map() };
  for (const [node, threadId] of belongs) {
    sight.threads.set(node.messageId, threadId);
    if (node.threadId !== '' && node.threadId !== threadId)
      sight.moves.set(threadId, [...(sight.moves.get(threadId) ?? []), node]);
    if (node.threadId === '') {
      const answers = upToKnown(answersOf(node), (name) => view.nodes.has(name));
      const fresh = { messageId: node.messageId, threadId, answers };
      sight.fresh.push(fresh);
      sight.nodes.set(node.messageId, fresh);
    }
  }
  return sight;
}

function answersOf({ answers = [] }: ThreadNode): readonly string[] {
  return answers;
}
