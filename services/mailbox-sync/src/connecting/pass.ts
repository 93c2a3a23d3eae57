import { adoptFolders } from './adopt-folders.ts';
import type { FolderStatus } from '../imap/imap-connection.ts';
import { scanFolders } from '../scanning/scan.ts';
import {
  type FolderState,
  isAllRead,
  isDoubtful,
  isOvertaken,
  isUncompared,
  remaining,
  searchForMoved,
  type Session,
} from '../session/session.ts';
import { isCounted } from '../scanning/change-counter.ts';

/** The next pass comes early while emails that left their folders are searched. */
const SEARCH_MS = 3_000;

/** Reads the status of every folder and scans the changed ones. A quick pass covers Sent and Drafts alone. */
export async function runPass(session: Session): Promise<void> {
  const { connection, deps } = session;
  const { scanMs, context } = deps;
  const now = context.clock.now();
  // When one command gives the status of all folders, all are scanned as often as Sent.
  const isFull = connection.has('LIST-STATUS') || now >= session.nextFullPassAt || isSearching(session);
  const statuses = isFull ? await listAll(session) : await askQuickly(session);
  const isAged = ({ scannedAt }: FolderState) => isFull && now - scannedAt >= scanMs.folder;
  const due = session.folders.filter((state) => {
    const status = statuses.get(state.folder.path);
    return (
      state.isDue ||
      isDoubtful(session, state) ||
      isUncompared(state) ||
      isOvertaken(session, state) ||
      isTriedAgain(state) ||
      (status ? isChanged(state, status) || (isBlind(state, status) && isAged(state)) : isAged(state))
    );
  });
  await scanFolders(session, due);
  if (isFull) await endPass(session);
  if (isFull) session.nextFullPassAt = now + scanMs.folder;
  session.nextPassAt = now + (isSearching(session) ? SEARCH_MS : scanMs.sent);
}

/** Emails that are gone are not removed before. */
const isTriedAgain = (state: FolderState) => state.refused.tries > 0;

const isSearching = ({ pass, searchUntil }: Session) => pass <= searchUntil;

/** Without a change counter nothing shows that a flag was set. */
const isBlind = (state: FolderState, status: FolderStatus) => !isCounted(state, status);

async function listAll(session: Session): Promise<Map<string, FolderStatus>> {
  const listed = await session.connection.list();
  await adoptFolders(session, listed);
  return new Map(listed.flatMap(({ path, status }) => (status ? [[path, status] as const] : [])));
}

async function askQuickly({ connection, folders }: Session): Promise<Map<string, FolderStatus>> {
  const statuses = new Map<string, FolderStatus>();
  for (const { folder } of folders)
    if (folder.type === 'SENT' || folder.type === 'DRAFTS')
      statuses.set(folder.path, await connection.status(folder.path));
  return statuses;
}

function isChanged(state: FolderState, status: FolderStatus): boolean {
  const { sync } = state;
  if (!sync || sync.uidValidity !== status.uidValidity || sync.uidNext !== status.uidNext) return true;
  const left = remaining(state);
  if (left !== undefined && sync.done + left !== status.messages) return true;
  return isCounted(state, status) && String(status.highestModseq) !== sync.highestModseq;
}

/** Emails that left a folder and were found in no other are removed (see FinishPass of mailbox-write). */
async function endPass(session: Session): Promise<void> {
  const { lease, writer, deps } = session;
  await emptyLostFolders(session);
  const isRemoving = isAllRead(session);
  if (isRemoving && session.isHeldBack) searchForMoved(session);
  if (!isSearching(session)) return;
  if (isRemoving) await writer.finishPass(session.pass);
  session.isHeldBack = !isRemoving;
  session.pass += 1;
  await deps.leases.beginPass(lease, session.pass);
}

/** Missing once proves nothing; its emails may have moved before it went. */
const LOST_AFTER = 2;

/** A folder that is no longer listed is empty. An email that is missed is found again as itself among old mail. */
async function emptyLostFolders(session: Session): Promise<void> {
  const { lease, writer, deps, pass } = session;
  const at = deps.context.clock.date().toISOString();
  for (const lost of session.lost) {
    const { folderId, uidValidity } = lost;
    await writer.apply({ folderId, uidValidity, isCompleteListing: true, isTakenIn: true, at, pass });
    lost.passes += 1;
    if (lost.passes >= LOST_AFTER) await deps.folderSyncs.remove(lease.workspaceId, lease, folderId);
    searchForMoved(session);
  }
  session.lost = session.lost.filter(({ passes }) => passes < LOST_AFTER);
}
