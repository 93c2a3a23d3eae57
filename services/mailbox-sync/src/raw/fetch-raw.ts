import { ApiError } from '@postroom/errors/api-error';
import type { LocationPart } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { LARGEST_MESSAGE } from '@postroom/mail-store/stored-bytes';
import type { FetchRawRequest, FetchRawResponse } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Call } from '@postroom/rpc/call';
import type { MailboxSyncServiceDefinition } from '@postroom/proto/postroom/v1/mailbox_sync';
import type { Handlers } from '@postroom/rpc/definition';
import type { SyncedMailboxStore } from '../mailboxes/synced-mailbox-store.ts';
import type { PendingChangeStore } from '../pending/pending-change-store.ts';
import type { SessionDeps } from '../session/session.ts';
import type { SharedConnections } from './shared-connections.ts';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { MailboxInactive } from '../connecting/open-session.ts';
import { COPIES } from '../scanning/ingest-messages.ts';

type Found = FetchRawResponse;

export interface RawDeps {
  stores: { mailboxes: Pick<SyncedMailboxStore, 'find'>; pending: Pick<PendingChangeStore, 'locationOf'> };
  session: Pick<SessionDeps, 'bytes' | 'mailboxWrite' | 'context'>;
  /** The connections beside those of the sessions. */
  shared: Pick<SharedConnections, 'use'>;
}

/** Emails as their providers alone keep them. */
export function rawHandlers({ stores, session, shared }: RawDeps) {
  const { bytes, mailboxWrite, context } = session;
  const read = async <T>(
    connection: ImapConnection,
    location: LocationPart,
    { workspaceId, signal }: Pick<Call, 'workspaceId' | 'signal'>,
    use: Use<T>,
  ): Promise<T> => {
    const { uid } = location;
    // One command after the other: a second one within the first would wait for its end for ever.
    let size: number | undefined;
    for await (const facts of connection.facts([uid])) size = facts.size;
    if (size === undefined) throw new ApiError('NOT_FOUND');
    const weight = COPIES * Math.min(size, LARGEST_MESSAGE);
    const { leave, isWanted } = await bytes.enter(weight, workspaceId, signal);
    try {
      signal.throwIfAborted();
      let found: Found | undefined;
      for await (const { raw } of connection.sources([uid], { each: LARGEST_MESSAGE, all: weight, isWanted }))
        found = { raw, isWhole: raw.length < LARGEST_MESSAGE };
      if (!found) throw new ApiError('NOT_FOUND');
      return await use(found, location);
    } finally {
      leave();
    }
  };
  const fetched = async <T>({ mailboxId, emailId }: FetchRawRequest, call: Call, use: Use<T>): Promise<T> => {
    const { workspaceId, signal } = call;
    const mailbox = await stores.mailboxes.find(workspaceId, mailboxId);
    const location = await stores.pending.locationOf(workspaceId, emailId);
    const path = pathOf(mailbox, location);
    if (!location || !path) throw new ApiError('NOT_FOUND');
    // No process syncs it, so no slot would ever become free.
    if (mailbox?.status !== 'active') throw new ApiError('MAILBOX_INACTIVE');
    const reading = () =>
      shared.use({ workspaceId, mailboxId }, signal, async (connection) => {
        const { uidValidity } = await connection.open(path);
        if (uidValidity !== location.uidValidity)
          throw new ImapFault('failed', 'the provider has given its messages new names, which are not known yet');
        return read(connection, location, call, use);
      });
    return context.tracing.withSpan('imap fetch', {}, call.traceparent, reading, 'client').catch((error: unknown) => {
      throw asRefusal(error);
    });
  };

  return {
    fetchRaw: (request, call) => fetched(request, call, async (found) => found),
    fetchBody: (request, call) =>
      fetched(request, call, ({ raw }, location) =>
        mailboxWrite.restoreBody({ emailId: request.emailId, raw, location }, call),
      ),
  } satisfies Partial<Handlers<MailboxSyncServiceDefinition>>;
}

type Use<T> = (found: Found, location: LocationPart) => Promise<T>;

function pathOf(mailbox: MailboxDocument | null, location: LocationPart | undefined): string | undefined {
  return mailbox?.folders.find(({ id }) => id === location?.folderId)?.path;
}

/** A fault of the provider may be retried by the caller. Its text stays in the log here. */
function asRefusal(error: unknown): unknown {
  if (error instanceof MailboxInactive) return new ApiError('MAILBOX_INACTIVE');
  if (!(error instanceof ImapFault)) return error;
  const message = 'The mail server of this mailbox does not answer now; try again later.';
  return new ApiError('INTERNAL_ERROR', { message, cause: error });
}
