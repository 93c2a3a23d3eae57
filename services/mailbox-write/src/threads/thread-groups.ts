import { tieOf, type ThreadNode } from './thread-node.ts';

export type NewThreadId = (name: string) => string;

export interface Group {
  nodes: ThreadNode[];
  /** The smallest name in it: whoever forms the same group at the same time comes to the same. */
  name: string;
}

/**
 * Messages that belong together, each group with its thread. It depends on nothing but the messages, not on the order
 * in which they came: a message is tied to one other at most, and a conversation is whatever hangs together.
 */
export function groupThreads(nodes: readonly ThreadNode[], newThreadId: NewThreadId): Map<ThreadNode, string> {
  const groups = gather(nodes);
  const holders = new Map<string, number>();
  for (const { nodes: members } of groups) {
    for (const id of idsOf(members)) holders.set(id, (holders.get(id) ?? 0) + 1);
  }
  const taken = new Set<string>();
  const threads = new Map<ThreadNode, string>();
  const give = ({ nodes: members }: Group, threadId: string) => {
    taken.add(threadId);
    for (const node of members) threads.set(node, threadId);
  };
  // A thread that is in one group alone keeps its id, and of several the smallest; a thread that is divided keeps it in one part.
  const own = ({ nodes: members }: Group) => idsOf(members).find((id) => holders.get(id) === 1);
  for (const group of groups) {
    const id = own(group);
    if (id !== undefined) give(group, id);
  }
  for (const group of groups.filter((candidate) => own(candidate) === undefined)) {
    give(group, idsOf(group.nodes).find((id) => !taken.has(id)) ?? unused(group.name, newThreadId, taken, holders));
  }
  return threads;
}

function unused(name: string, newThreadId: NewThreadId, ...inUse: { has(id: string): boolean }[]): string {
  for (let attempt = name; ; attempt += '+') {
    const id = newThreadId(attempt);
    if (!inUse.some((ids) => ids.has(id))) return id;
  }
}

/** A node that is only proposed has no thread yet. */
export function idsOf(nodes: readonly ThreadNode[]): string[] {
  return [...new Set(nodes.map(({ threadId }) => threadId))].filter((id) => id !== '').sort();
}

/** The connected groups among these, whatever their present threads. */
export function gather(nodes: readonly ThreadNode[]): Group[] {
  const names = new Set(nodes.map(({ messageId }) => messageId));
  const sets = createSets();
  for (const node of nodes) {
    // Of the times when every id was linked only the thread is known.
    const tie = node.answers ? tieOf(node, (name) => names.has(name)) : `thread:${node.threadId}`;
    if (tie !== null) sets.join(tie, node.messageId);
  }
  const bySet = new Map<string, ThreadNode[]>();
  for (const node of nodes) {
    const set = sets.of(node.messageId);
    const members = bySet.get(set);
    if (members) members.push(node);
    else bySet.set(set, [node]);
  }
  return [...bySet.values()]
    .map((members) => ({ nodes: members, name: members.map(({ messageId }) => messageId).sort()[0] as string }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** Sets that grow together: each name points towards the one that speaks for its set. */
function createSets() {
  const parents = new Map<string, string>();
  const of = (name: string): string => {
    let root = name;
    for (let parent = parents.get(root); parent !== undefined; parent = parents.get(root)) root = parent;
    // Paths are shortened on the way, so that a chain of ten thousand answers is walked once.
    for (let step = name; step !== root;) {
      const next = parents.get(step) ?? root;
      parents.set(step, root);
      step = next;
    }
    return root;
  };
  return {
    of,
    join: (a: string, b: string) => {
      const [first, second] = [of(a), of(b)];
      if (first !== second) parents.set(second, first);
    },
  };
}
