import type { Collections } from '@postroom/mail-store/collections';
import type { ThreadLinkDocument } from '@postroom/mail-store/documents/email';
import { insertAll } from '../insert-all-store.ts';
import { steadyId } from '@postroom/runtime/steady-id';
import type { Link } from './resolve-threads.ts';

const LIMIT = { maxTimeMS: 10_000 } as const;

export type ThreadStore = ReturnType<typeof createThreadStore>;

export function createThreadStore({ threadLinks }: Collections) {
  return {
    findLinks(workspaceId: string, mailboxId: string, messageIds: readonly string[]): Promise<Link[]> {
      return threadLinks
        .find({ workspaceId, mailboxId, messageId: { $in: messageIds } }, { _id: 0, messageId: 1, threadId: 1 }, LIMIT)
        .lean<Link[]>();
    },

    /** How many of them somebody else has linked in the meantime. */
    async insertLinks(workspaceId: string, mailboxId: string, links: readonly Link[]): Promise<number> {
      const documents = links.map((link): ThreadLinkDocument => ({
        _id: steadyId('lnk', workspaceId, mailboxId, link.messageId),
        workspaceId,
        mailboxId,
        ...link,
      }));
      return (await insertAll(threadLinks, documents)).length;
    },

    async moveLinks(workspaceId: string, mailboxId: string, from: readonly string[], threadId: string): Promise<void> {
      await threadLinks.updateMany({ workspaceId, mailboxId, threadId: { $in: from } }, { $set: { threadId } }, LIMIT);
    },
  };
}
