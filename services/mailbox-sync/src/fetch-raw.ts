import { ApiError } from '@postroom/errors/api-error';
import type { Deps, Rpcs } from './deps.ts';
import { logIn } from './keeping/open-session.ts';

const LARGEST = 25 * 1024 * 1024;

/** Bytes of an email that are kept by its provider alone, over a connection of their own. */
export function rawHandlers({ stores, session }: Deps) {
  return {
    fetchRaw: async ({ mailboxId, emailId }, { workspaceId, signal }) => {
      const mailbox = await stores.directory.find(workspaceId, mailboxId);
      const place = await stores.owed.placeOf(workspaceId, emailId);
      const folder = mailbox?.folders.find(({ id }) => id === place?.folderId);
      if (!place || !folder?.path) throw new ApiError('NOT_FOUND');
      const connection = await logIn({ workspaceId, mailboxId, epoch: 0, round: 0 }, session, signal);
      // Whoever asked may have gone away.
      signal.addEventListener('abort', () => connection.close(), { once: true });
      try {
        const { uidValidity } = await connection.open(folder.path);
        if (uidValidity !== place.uidValidity) throw new ApiError('NOT_FOUND');
        for await (const { raw } of connection.sources([place.uid], LARGEST)) return { raw };
        throw new ApiError('NOT_FOUND');
      } finally {
        connection.close();
      }
    },
  } satisfies Partial<Rpcs>;
}
