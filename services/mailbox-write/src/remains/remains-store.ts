import type { Writes } from '@postroom/mail-store/access';
import type { RemovedEmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { REMOVED_KEPT_MS } from '../removals/announce-removal.ts';

/** A position in the order of removals. */
export interface RemovedPosition {
  removedAt: Date;
  _id: string;
}
type Removed = RemovedPosition & Pick<RemovedEmailDocument, 'workspaceId'>;
type Stored = Pick<RemovedEmailDocument, '_id' | 'workspaceId' | 'expiresAt'>;

const SHOWN = { workspaceId: 1, expiresAt: 1 } as const;
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
    /** Removals behind a position and before a time. The email of some may still be there. */
    async everyWorkspacesRemoved(behind: RemovedPosition, before: Date, limit: number): Promise<Removed[]> {
      const expiresAt = expiryOf(behind.removedAt);
      const isBehind = { $or: [{ expiresAt: { $gt: expiresAt } }, { expiresAt, _id: { $gt: behind._id } }] };
      const found = await removedEmails
        .find({ expiresAt: { $gte: expiresAt, $lt: expiryOf(before) }, ...isBehind }, SHOWN, QUERY_LIMIT)
        .sort({ expiresAt: 1, _id: 1 })
        .limit(limit)
        .lean<Stored[]>();
      return found.map(({ expiresAt: expiry, ...one }) => {
        return { ...one, removedAt: new Date(expiry.getTime() - REMOVED_KEPT_MS) };
      });
    },

    /** Of those emails that are not there. A message that comes back has its body before its email, so newer ones stay. */
    async removeParts(workspaceId: string, emailIds: readonly string[], before: Date): Promise<void> {
      const named = { workspaceId, _id: { $in: [...emailIds] } };
      const there = new Set((await emails.find(named, { _id: 1 }, QUERY_LIMIT).lean()).map(({ _id }) => _id));
      const gone = { workspaceId, _id: { $in: emailIds.filter((id) => !there.has(id)) }, createdAt: { $lt: before } };
      await Promise.all([bodies.deleteMany(gone, QUERY_LIMIT), classifications.deleteMany(gone, QUERY_LIMIT)]);
    },
  };
}
