import type { Writes } from '@postroom/mail-store/access';
import { piecesOf } from '@postroom/mail-store/stored-bytes';
import { insertNew } from '../inserting/insert-all-store.ts';

export type OriginalStore = ReturnType<typeof createOriginalStore>;

export interface Original {
  mailboxId: string;
  emailId: string;
  raw: Buffer;
}

const DAY_MS = 86_400_000;
/** Longer than an email waits for its rules, and a forward of it for its mail server. */
const KEPT_MS = 7 * DAY_MS;

/** Raw messages, which outbound-send reads when it forwards them. */
export function createOriginalStore({ originalPieces }: Writes<'originalPieces'>) {
  return {
    /** Stored pieces are of the same message, from before a crash. */
    async keep(workspaceId: string, { mailboxId, emailId, raw }: Original, createdAt: Date): Promise<void> {
      const all = piecesOf(raw);
      const about = { workspaceId, mailboxId, emailId, pieces: all.length, createdAt };
      const expiresAt = new Date(createdAt.getTime() + KEPT_MS);
      for (const [position, bytes] of all.entries())
        await insertNew(originalPieces, [{ _id: `${emailId}:${position}`, ...about, position, bytes, expiresAt }]);
    },
  };
}
