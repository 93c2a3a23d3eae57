import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { every, type Query } from '@postroom/mail-store/filter-tree/query';
import { timeLimit, type TimeBudget } from '@postroom/mail-store/time-limit';

export interface ThreadKey {
  mailboxId: string;
  threadId: string;
}

/** The parts of an email that its thread is made of. */
export type Member = Pick<
  EmailDocument,
  '_id' | 'mailboxId' | 'date' | 'receivedAt' | 'isRead' | 'isStarred' | 'hasAttachments' | 'labelIds'
> & { threadId: string };

const MEMBER = {
  _id: 1,
  mailboxId: 1,
  threadId: 1,
  date: 1,
  receivedAt: 1,
  isRead: 1,
  isStarred: 1,
  hasAttachments: 1,
  labelIds: 1,
} as const;
const KEY = { _id: 0, mailboxId: 1, threadId: 1 } as const;
const NEWEST_FIRST = { date: -1, _id: -1 } as const;

export type ThreadListStore = ReturnType<typeof createThreadListStore>;

/** The emails of threads. The index `thread` leads to each query of one or several threads. */
export function createThreadListStore({ emails }: Reads<'emails'>) {
  return {
    /** Of several threads together, in no order. */
    members(workspaceId: string, keys: readonly ThreadKey[], most: number, budget: TimeBudget): Promise<Member[]> {
      return emails.collection
        .find(threadsQuery(workspaceId, keys), { projection: MEMBER, ...timeLimit(budget) })
        .limit(most)
        .toArray() as unknown as Promise<Member[]>;
    },

    newestMembers(workspaceId: string, key: ThreadKey, most: number, budget: TimeBudget): Promise<Member[]> {
      return emails.collection
        .find({ workspaceId, ...inThread(key) }, { projection: MEMBER, ...timeLimit(budget) })
        .sort(NEWEST_FIRST)
        .limit(most)
        .toArray() as unknown as Promise<Member[]>;
    },

    /** The threads of which an email matches, each as often as there are such emails. */
    matching(
      workspaceId: string,
      keys: readonly ThreadKey[],
      query: Query,
      most: number,
      budget: TimeBudget,
    ): Promise<ThreadKey[]> {
      return emails.collection
        .find({ workspaceId, ...every([inThreads(keys), query]) }, { projection: KEY, ...timeLimit(budget) })
        .limit(most)
        .toArray() as unknown as Promise<ThreadKey[]>;
    },

    ...emailsOfThreads({ emails }),
  };
}

function emailsOfThreads({ emails }: Reads<'emails'>) {
  return {
    /** The list projections of emails, by their ids. */
    async projections(
      workspaceId: string,
      emailIds: readonly string[],
      budget: TimeBudget,
    ): Promise<Map<string, string>> {
      const found = await emails.collection
        .find(
          { workspaceId, _id: { $in: [...emailIds] as never[] } },
          { projection: { rendered: 1 }, ...timeLimit(budget) },
        )
        .toArray();
      return new Map(found.map((email) => [String(email._id), String(email.rendered)]));
    },

    async mailboxOf(
      workspaceId: string,
      threadId: string,
      mailboxIds: readonly string[],
      budget: TimeBudget,
    ): Promise<string | undefined> {
      const query = { workspaceId, mailboxId: { $in: [...mailboxIds] }, threadId };
      const email = await emails
        .findOne(query, { mailboxId: 1 }, timeLimit(budget))
        .lean<{ mailboxId: string } | null>();
      return email?.mailboxId;
    },
  };
}

/** All emails of these threads. */
export const threadsQuery = (workspaceId: string, keys: readonly ThreadKey[]): Query => ({
  workspaceId,
  ...inThreads(keys),
});

const inThread = ({ mailboxId, threadId }: ThreadKey): Query => ({ mailboxId, threadId });

function inThreads(keys: readonly ThreadKey[]): Query {
  const byMailbox = new Map<string, Set<string>>();
  for (const { mailboxId, threadId } of keys)
    byMailbox.set(mailboxId, (byMailbox.get(mailboxId) ?? new Set()).add(threadId));
  const each = [...byMailbox].map(([mailboxId, ids]) => ({ mailboxId, threadId: { $in: [...ids] } }));
  return each.length === 1 ? (each[0] as Query) : { $or: each };
}
