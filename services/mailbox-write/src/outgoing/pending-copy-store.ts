import type { Writes } from '@postroom/mail-store/access';
import type { PendingCopyDocument } from '@postroom/mail-store/documents/email';
import { pendingPieceId } from '@postroom/mail-store/pending-piece-id';
import { piecesOf } from '@postroom/mail-store/stored-bytes';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';
import { insertNew } from '../inserting/insert-all-store.ts';

/** Behind the first, of the largest message that can be handed over. */
const MOST_PIECES = 5;

export type PendingCopyStore = ReturnType<typeof createPendingCopyStore>;

/** The pending copies of mail that was made here, each under the id of its pending change. */
export function createPendingCopyStore({ pendingCopies }: Writes<'pendingCopies'>) {
  return {
    async keep(_workspaceId: string, copy: PendingCopyDocument): Promise<void> {
      const [raw, ...others] = piecesOf(copy.raw);
      // The first is what is looked for: by then the others are there.
      for (const [at, piece] of others.entries())
        await insertNew(pendingCopies, [{ ...copy, _id: pendingPieceId(copy._id, at + 1), raw: piece }]);
      await insertNew(pendingCopies, [{ ...copy, raw, ...(others.length > 0 && { pieces: others.length + 1 }) }]);
    },

    async remove(workspaceId: string, changeIds: readonly string[]): Promise<void> {
      const pieces = Array.from({ length: MOST_PIECES }, (_, at) => at + 1);
      const ids = changeIds.flatMap((id) => [id, ...pieces.map((at) => pendingPieceId(id, at))]);
      await pendingCopies.deleteMany({ workspaceId, _id: { $in: ids } }, QUERY_LIMIT);
    },
  };
}
