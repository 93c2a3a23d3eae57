import type { AnyBulkWriteOperation } from 'mongoose';
import type { Writes } from '@postroom/mail-store/access';
import type { EmailDocument, ThreadLinkDocument } from '@postroom/mail-store/documents/email';
import { toListProjection } from '@postroom/mail-store/list-projection';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../inserting/insert-all-store.ts';
import { deterministicId } from '@postroom/runtime/deterministic-id';
import type { ThreadNode } from './thread-node.ts';

export type EmailThread = Pick<EmailDocument, '_id' | 'threadKey' | 'threadId'>;

const NODE = { _id: 0, messageId: 1, threadId: 1, answers: 1 } as const;
const EMAIL_THREAD = { threadKey: 1, threadId: 1 } as const;
/** A thread is moved in steps, so that a thread of ten thousand emails is never in memory at once. */
const MOVED_AT_ONCE = 200;
/** The most answers to a later message that are read. */
const MOST_ANSWERS = 2_000;

export interface Around {
  names: readonly string[];
  answered: readonly string[];
}

export type ThreadStore = ReturnType<typeof createThreadStore>;

export function createThreadStore({ threadLinks, emails }: Writes<'threadLinks' | 'emails'>) {
  const find = (filter: object, limit = 0): Promise<ThreadNode[]> =>
    threadLinks.find(filter, NODE, QUERY_LIMIT).limit(limit).lean<ThreadNode[]>();

  return {
    findNodes(workspaceId: string, mailboxId: string, names: readonly string[]): Promise<ThreadNode[]> {
      return find({ workspaceId, mailboxId, messageId: { $in: names } });
    },

    findAnswering(workspaceId: string, mailboxId: string, names: readonly string[]): Promise<ThreadNode[]> {
      return find({ workspaceId, mailboxId, answers: { $in: names } }, MOST_ANSWERS);
    },

    /** The messages of some names, and those that answer others, by one question: every email asks both. */
    async findAround(workspaceId: string, mailboxId: string, { names, answered }: Around): Promise<ThreadNode[]> {
      const within = { workspaceId, mailboxId };
      const either = [
        { ...within, messageId: { $in: names } },
        { ...within, answers: { $in: answered } },
      ];
      const most = names.length + MOST_ANSWERS;
      const found = await find({ $or: either }, most);
      // So many answers may have kept out what has the names.
      return found.length < most ? found : [...found, ...(await find({ ...within, messageId: { $in: names } }))];
    },

    findThreads(workspaceId: string, mailboxId: string, threadIds: readonly string[]): Promise<ThreadNode[]> {
      return find({ workspaceId, mailboxId, threadId: { $in: threadIds } });
    },

    /** Whether these threads have no more messages together than this. */
    async hasFew(workspaceId: string, mailboxId: string, threadIds: readonly string[], most: number): Promise<boolean> {
      const members = { workspaceId, mailboxId, threadId: { $in: threadIds } };
      return (await threadLinks.countDocuments(members, { limit: most + 1, ...QUERY_LIMIT })) <= most;
    },

    ...changesOf(threadLinks),
    ...emailsInThreads(emails),
  };
}

function changesOf(threadLinks: Writes<'threadLinks'>['threadLinks']) {
  return {
    /** One that is there already was there first, and its word counts. */
    async insertNodes(workspaceId: string, mailboxId: string, nodes: readonly ThreadNode[]): Promise<void> {
      const documents = nodes.map((node): ThreadLinkDocument => ({
        _id: deterministicId('lnk', workspaceId, mailboxId, node.messageId),
        workspaceId,
        mailboxId,
        messageId: node.messageId,
        threadId: node.threadId,
        answers: [...(node.answers ?? [])],
      }));
      await insertNew(threadLinks, documents);
    },

    async moveNodes(workspaceId: string, mailboxId: string, names: readonly string[], threadId: string): Promise<void> {
      await threadLinks.updateMany(
        { workspaceId, mailboxId, messageId: { $in: names } },
        { $set: { threadId } },
        QUERY_LIMIT,
      );
    },
  };
}

/** The emails of the threads. */
function emailsInThreads(emails: Writes<'emails'>['emails']) {
  return {
    findEmailThreads(workspaceId: string, emailIds: readonly string[]): Promise<EmailThread[]> {
      return emails.find({ workspaceId, _id: { $in: emailIds } }, EMAIL_THREAD, QUERY_LIMIT).lean<EmailThread[]>();
    },

    /** Moves the emails of these nodes into a thread, list projections included. Returns their number. */
    moveEmails(workspaceId: string, mailboxId: string, names: readonly string[], threadId: string): Promise<number> {
      // The Message-ID is what the index knows; a mail without a key of its own is from before there were any.
      const wanted = { messageId: { $in: names }, threadKey: { $in: [...names, null] as string[] } };
      return moveAll(emails, { workspaceId, mailboxId, ...wanted, threadId: { $ne: threadId } }, threadId);
    },

    moveEmailsById(workspaceId: string, emailIds: readonly string[], threadId: string): Promise<number> {
      return moveAll(emails, { workspaceId, _id: { $in: emailIds }, threadId: { $ne: threadId } }, threadId);
    },
  };
}

function moving(email: EmailDocument, threadId: string): AnyBulkWriteOperation<EmailDocument> {
  const projection = toListProjection({ ...email, threadId });
  return {
    updateOne: {
      filter: { workspaceId: email.workspaceId, _id: email._id },
      update: { $set: { threadId, rendered: projection } },
    },
  };
}

async function moveAll(emails: Writes<'emails'>['emails'], elsewhere: object, threadId: string): Promise<number> {
  for (let moved = 0; ;) {
    const page = await emails
      .find(elsewhere, { words: 0, folded: 0, rendered: 0 }, QUERY_LIMIT)
      .limit(MOVED_AT_ONCE)
      .lean<EmailDocument[]>();
    if (page.length === 0) return moved;
    await emails.bulkWrite(
      page.map((email) => moving(email, threadId)),
      { ordered: false },
    );
    moved += page.length;
  }
}
