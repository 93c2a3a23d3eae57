import type { Writes } from '@postroom/mail-store/access';
import type { ThreadLinkDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../inserting/insert-all-store.ts';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { removedKey } from '../location/location.ts';
import { type LeavingEmail, WITHOUT_EVENTS } from '../removals/announce-removal.ts';

const leavingOnes = (workspaceId: string, emailIds: readonly string[]) => ({
  workspaceId,
  _id: { $in: [...emailIds] },
  messageKey: { $in: emailIds.map(removedKey) },
});

export type RemovalStore = ReturnType<typeof createRemovalStore>;

/** Emails that are gone at their provider, and what is kept beside them. */
export function createRemovalStore({
  emails,
  bodies,
  classifications,
  threadLinks,
}: Writes<'emails' | 'bodies' | 'classifications' | 'threadLinks'>) {
  const within = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

  return {
    async removeParts(workspaceId: string, emailIds: readonly string[]): Promise<void> {
      const beside = { workspaceId, _id: { $in: emailIds } };
      await Promise.all([bodies.deleteMany(beside, QUERY_LIMIT), classifications.deleteMany(beside, QUERY_LIMIT)]);
    },

    /** The conversation needs a message while another email is a copy of it or an answer to it. */
    async isUnneeded(workspaceId: string, { _id, mailboxId, messageId, threadKey }: EmailAsRead): Promise<boolean> {
      const duplicateOf = { ...within(workspaceId, mailboxId), messageId, threadKey, _id: { $ne: _id } };
      const [other, answer] = await Promise.all([
        emails.findOne(duplicateOf, { _id: 1 }, QUERY_LIMIT).lean(),
        threadLinks.findOne({ ...within(workspaceId, mailboxId), answers: threadKey }, { _id: 1 }, QUERY_LIMIT).lean(),
      ]);
      return other === null && answer === null;
    },

    takeLink(workspaceId: string, { mailboxId, threadKey }: EmailAsRead): Promise<ThreadLinkDocument | null> {
      return threadLinks
        .findOneAndDelete({ ...within(workspaceId, mailboxId), messageId: threadKey }, QUERY_LIMIT)
        .lean<ThreadLinkDocument | null>();
    },

    async putLinkBack(_workspaceId: string, link: ThreadLinkDocument): Promise<void> {
      await insertNew(threadLinks, [link]);
    },

    /** The emails that leave, with their pending events. */
    leaving(workspaceId: string, emailIds: readonly string[]): Promise<LeavingEmail[]> {
      return emails.find(leavingOnes(workspaceId, emailIds), { outbox: 1 }, QUERY_LIMIT).lean<LeavingEmail[]>();
    },

    /** Those without pending events. Gives back those that are still there. */
    async removeEmails(workspaceId: string, emailIds: readonly string[]): Promise<string[]> {
      await emails.deleteMany({ ...leavingOnes(workspaceId, emailIds), ...WITHOUT_EVENTS }, QUERY_LIMIT);
      const left = { workspaceId, _id: { $in: [...emailIds] } };
      return (await emails.find(left, { _id: 1 }, QUERY_LIMIT).lean<{ _id: string }[]>()).map(({ _id }) => _id);
    },
  };
}
