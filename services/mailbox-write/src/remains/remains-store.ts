import type { Writes } from '@postroom/mail-store/access';
import type { RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { REMOVED_KEPT_MS } from '../removals/announce-removal.ts';

type Removed = Pick<RemovedEmailDocument, '_id' | 'workspaceId'>;

const AT_ONCE = 500;
const SHOWN = { workspaceId: 1 } as const;
const expiryOf = (removedAt: Date) => new Date(removedAt.getTime() + REMOVED_KEPT_MS);

export type RemainsStore = ReturnType<typeof createRemainsStore>;

/** Documents beside emails that are gone. */
export function createRemainsStore({
  removedEmails,
  emails,
  bodies,
  classifications,
}: Writes<'removedEmails' | 'emails' | 'bodies' | 'classifications'>) {
  return {
    /** Removals of a period. The email of some may still be there. */
    everyWorkspacesRemoved: (from: Date, before: Date): AsyncIterable<Removed> =>
      removedEmails
        .find({ expiresAt: { $gte: expiryOf(from), $lt: expiryOf(before) } }, SHOWN, QUERY_LIMIT)
        .lean<Removed[]>()
        .cursor({ batchSize: AT_ONCE }),

    /** Of those emails that are not there. A message that comes back has its body before its email, so newer ones stay. */
    async removeParts(workspaceId: string, emailIds: readonly string[], before: Date): Promise<void> {
      const named = { workspaceId, _id: { $in: [...emailIds] } };
      const there = new Set((await emails.find(named, { _id: 1 }, QUERY_LIMIT).lean()).map(({ _id }) => _id));
      const gone = { workspaceId, _id: { $in: emailIds.filter((id) => !there.has(id)) }, createdAt: { $lt: before } };
      await Promise.all([bodies.deleteMany(gone, QUERY_LIMIT), classifications.deleteMany(gone, QUERY_LIMIT)]);
    },
  };
}
