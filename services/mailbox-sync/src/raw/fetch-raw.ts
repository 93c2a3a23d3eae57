import { ApiError } from '@postroom/errors/api-error';
import type { PlacePart } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { FetchRawResponse } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Deps, Rpcs } from '../deps.ts';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { MailboxInactive } from '../keeping/open-session.ts';
import { COPIES } from '../looking/take-in.ts';

/** Bytes of an email as its provider alone keeps them. */
export function rawHandlers({ stores, session: { bytes }, shared }: Pick<Deps, 'stores' | 'session' | 'shared'>) {
  const fetched = async (connection: ImapConnection, uid: number, signal: AbortSignal): Promise<FetchRawResponse> => {
    // One command after the other: a second one within the first would wait for its end for ever.
    let size: number | undefined;
    for await (const facts of connection.facts([uid])) size = facts.size;
    if (size === undefined) throw new ApiError('NOT_FOUND');
    const leave = await bytes.enter(COPIES * Math.min(size, LARGEST_MESSAGE));
    try {
      signal.throwIfAborted();
      for await (const { raw } of connection.sources([uid], LARGEST_MESSAGE))
        return { raw, isWhole: raw.length < LARGEST_MESSAGE };
    } finally {
      leave();
    }
    throw new ApiError('NOT_FOUND');
  };

  return {
    fetchRaw: async ({ mailboxId, emailId }, { workspaceId, signal }) => {
      const mailbox = await stores.directory.find(workspaceId, mailboxId);
      const place = await stores.owed.placeOf(workspaceId, emailId);
      const path = pathOf(mailbox, place);
      if (!place || !path) throw new ApiError('NOT_FOUND');
      return shared
        .use({ workspaceId, mailboxId }, signal, async (connection) => {
          const { uidValidity } = await connection.open(path);
          if (uidValidity !== place.uidValidity)
            throw new ImapFault('failed', 'the provider has given its messages new names, which are not known yet');
          return fetched(connection, place.uid, signal);
        })
        .catch((error: unknown) => {
          throw asRefusal(error);
        });
    },
  } satisfies Partial<Rpcs>;
}

function pathOf(mailbox: MailboxDocument | null, place: PlacePart | undefined): string | undefined {
  return mailbox?.folders.find(({ id }) => id === place?.folderId)?.path;
}

/** What is the provider's fault may be asked for again; that it wrote what it wrote stays here. */
function asRefusal(error: unknown): unknown {
  if (error instanceof MailboxInactive) return new ApiError('MAILBOX_INACTIVE');
  if (!(error instanceof ImapFault)) return error;
  const message = 'The mail server of this mailbox does not answer now; try again later.';
  return new ApiError('INTERNAL_ERROR', { message, cause: error });
}
