import { ApiError } from '@postroom/errors/api-error';
import type { FolderPart } from '@postroom/mail-store/documents/mailbox';
import type { FolderSyncDocument } from '@postroom/mail-store/documents/sync';
import type { MailboxAccess } from '@postroom/proto/postroom/v1/workspace';
import { cutOnAbort } from '@postroom/runtime/abort';
import type { ImapConnection } from '../imap/imap-connection.ts';
import { ImapFault, toImapFault } from '../imap/imap-fault.ts';
import { serverAt } from '@postroom/mail-server/server-address';
import { adoptFolders, inOrderOfFolders } from './adopt-folders.ts';
import type { Lease } from '../leases/lease.ts';
import { heldConnection } from '../session/held-connection.ts';
import { LeaseLost } from '../leases/lease-lost.ts';
import { createMailWriter } from '../session/mail-writer.ts';
import { isOfLabel, toFolderSync } from '../folders/folder-sync-store.ts';
import { type FolderState, newFolderState, type Session, type SessionDeps } from '../session/session.ts';

/** The mailbox is not to be connected any more. */
export class MailboxInactive extends Error {
  constructor() {
    super('the mailbox is disconnected');
    this.name = 'MailboxInactive';
  }
}

/** Logs in and reads the folders of the mailbox. The caller closes the connection. */
export async function openSession(
  lease: Lease,
  deps: SessionDeps,
  { signal, isHeld, lateUntil }: { signal: AbortSignal; isHeld(): boolean } & Pick<Session, 'lateUntil'>,
): Promise<Session> {
  const { workspaceId, mailboxId } = lease;
  const mailbox = await deps.mailboxes.find(workspaceId, mailboxId);
  if (mailbox?.status !== 'active') throw new MailboxInactive();
  const syncs = await deps.folderSyncs.takeOver(workspaceId, lease);
  // A message that an earlier session missed counts as gone when a later pass misses it again.
  const pass = await deps.leases.firstPass(lease);
  if (pass === null) throw new LeaseLost();
  const connection = await logIn(lease, deps, signal);
  try {
    const session: Session = {
      lease,
      connection: heldConnection(connection, isHeld),
      stopped: signal,
      writer: createMailWriter({ mailboxWrite: deps.mailboxWrite, clock: deps.context.clock }, lease),
      connectedAt: mailbox.createdAt,
      folders: statesOf(
        mailbox.folders,
        syncs.filter((sync) => !isOfLabel(sync)),
      ),
      labelFolders: [],
      open: null,
      pass,
      lateUntil,
      // The session before may have left emails whose location is unknown.
      searchUntil: pass + 2,
      lost: [],
      attempts: new Map(),
      nextPassAt: 0,
      nextFullPassAt: 0,
      isHeldBack: false,
      nextWriteAt: 0,
      notedAt: 0,
      deps,
    };
    await cutOnAbort(
      signal,
      () => connection.close(),
      async () => adoptFolders(session, await connection.list()),
    );
    return session;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** Of every folder that was scanned before, the inbox first; one that the mailbox does not have any more is lost. */
function statesOf(folders: readonly FolderPart[], syncs: readonly FolderSyncDocument[]): FolderState[] {
  const known = new Map(folders.map((folder) => [folder.id, folder]));
  return inOrderOfFolders(
    syncs.map((sync) =>
      newFolderState({ path: '', name: '', type: 'OTHER', ...known.get(sync._id), id: sync._id }, toFolderSync(sync)),
    ),
  );
}

type Named = Pick<Lease, 'workspaceId' | 'mailboxId'>;

export async function logIn(mailbox: Named, deps: SessionDeps, signal: AbortSignal): Promise<ImapConnection> {
  const access = await accessOf(mailbox, deps, signal);
  await deps.loginRate(serverAt(access.imapAddress).host, signal);
  try {
    return await deps.connect(access, signal);
  } catch (error) {
    const fault = toImapFault(error);
    // A token may have run out on its way: once more, with one that has not.
    if (fault.kind !== 'refusal' || access.accessToken === undefined) throw fault;
    await deps.loginRate(serverAt(access.imapAddress).host, signal);
    return deps.connect(await accessOf(mailbox, deps, signal, access.tokenEpoch), signal);
  }
}

async function accessOf(
  { workspaceId, mailboxId }: Named,
  { access }: SessionDeps,
  signal: AbortSignal,
  refusedTokenEpoch?: number,
): Promise<MailboxAccess> {
  try {
    return await access.getMailboxAccess({ workspaceId, mailboxId, refusedTokenEpoch }, { signal });
  } catch (error) {
    const code = error instanceof ApiError ? error.code : undefined;
    if (code === 'MAILBOX_INACTIVE' || code === 'MAILBOX_NOT_FOUND') throw new MailboxInactive();
    throw new ImapFault('limit', 'there is nothing to log in with now', { cause: error });
  }
}
