/** A message as threading sees it: every id it names, its own first. Only references count, never the subject. */
export interface Threadable {
  ids: readonly string[];
}

export interface Link {
  messageId: string;
  threadId: string;
}

export interface Resolution {
  /** For each message, in the order given. */
  threadIds: string[];
  /** Ids named for the first time. */
  newLinks: Link[];
  /** Threads that turned out to be one: the thread that goes, to the thread that stays. */
  merged: Map<string, string>;
}

/**
 * Puts messages into threads by the ids they name. Every id ever named is linked to a thread, also that of a message
 * which is not here yet: so an answer may come before its question, a missing middle does no harm, loops are nothing
 * special, and a message that names two threads makes them one.
 */
export function resolveThreads(
  messages: readonly Threadable[],
  links: readonly Link[],
  newThreadId: () => string,
): Resolution {
  const groups = createGroups();
  for (const { messageId, threadId } of links) groups.join(nodeOfId(messageId), nodeOfThread(threadId));
  for (const { ids } of messages) {
    for (const id of ids) groups.join(nodeOfId(ids[0] as string), nodeOfId(id));
  }

  const survivors = new Map<string, string>();
  const merged = new Map<string, string>();
  // The smallest id stays: whoever merges the same threads at the same time comes to the same end.
  for (const threadId of [...new Set(links.map((link) => link.threadId))].sort()) {
    const group = groups.of(nodeOfThread(threadId));
    const survivor = survivors.get(group);
    if (survivor === undefined) survivors.set(group, threadId);
    else merged.set(threadId, survivor);
  }
  const threadOf = (id: string): string => {
    const group = groups.of(nodeOfId(id));
    const threadId = survivors.get(group) ?? newThreadId();
    survivors.set(group, threadId);
    return threadId;
  };

  const linked = new Set(links.map(({ messageId }) => messageId));
  const named = new Set(messages.flatMap(({ ids }) => ids));
  return {
    threadIds: messages.map(({ ids }) => (ids[0] === undefined ? newThreadId() : threadOf(ids[0]))),
    newLinks: [...named]
      .filter((id) => !linked.has(id))
      .map((messageId) => ({ messageId, threadId: threadOf(messageId) })),
    merged,
  };
}

const nodeOfId = (id: string) => `m${id}`;
const nodeOfThread = (id: string) => `t${id}`;

/** Sets that grow together: each node points towards the one that speaks for its set. */
function createGroups() {
  const parents = new Map<string, string>();
  const of = (node: string): string => {
    let root = node;
    for (let parent = parents.get(root); parent !== undefined && parent !== root; parent = parents.get(root))
      root = parent;
    // Paths are shortened on the way, so that a chain of ten thousand answers is walked once.
    for (let step = node; step !== root;) {
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
