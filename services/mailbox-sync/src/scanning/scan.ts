import type { OpenedFolder } from '../imap/imap-connection.ts';
import { ImapFault } from '../imap/imap-fault.ts';
import { compareFolder, isComparisonDue } from './compare.ts';
import { applyFlags } from './flags.ts';
import { cameBefore } from './came-before.ts';
import {
  type FolderState,
  hasBacklog,
  NEVER_COMPARED,
  noteRead,
  noteRefused,
  remaining,
  saveSync,
  searchForMoved,
  type Session,
} from '../session/session.ts';
import { ingestMessages } from './ingest-messages.ts';
import { proveCount, sinceOf } from './change-counter.ts';

/** Some minutes late a provider's clock may be without anybody's mail counting as history. */
const CLOCK_SKEW_MS = 3_600_000;

/**
 * Scans folders: first the vanished and changed messages of all, then the new ones. So an email that moved between two
 * folders is missed in the first before it is found in the second.
 */
export async function scanFolders(session: Session, states: readonly FolderState[]): Promise<void> {
  const arrived: { state: FolderState; uids: number[]; uidNext: number }[] = [];
  for (const state of states) {
    const changes = await readUnlessRefused(session, state, () => readChanges(session, state));
    if (changes) arrived.push({ state, ...changes });
    state.isDue = false;
    state.scannedAt = session.deps.context.clock.now();
  }
  for (const { state, uids, uidNext } of arrived)
    await readUnlessRefused(session, state, async () => {
      if (uids.length > 0 && (await reopen(session, state))) await takeArrivals(session, state, uids);
      if (state.sync && uidNext > state.sync.uidNext && !state.isDue) await saveSync(session, state, { uidNext });
      // Its search may be refused all the same while it has old mail.
      if (!hasBacklog(state)) noteRead(state);
    });
}

/** A folder that refuses to be read holds back no other one. A mailbox without the folder of new mail is not in sync. */
export async function readUnlessRefused<T>(
  session: Session,
  state: FolderState,
  read: () => Promise<T>,
): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    const isOfNewMail = state === session.folders[0];
    if (!(error instanceof ImapFault) || error.kind !== 'failed' || isOfNewMail) throw error;
    session.open = null;
    noteRefused(session, state);
    // It may have been renamed or deleted a moment ago. The next list of folders shows it.
    session.deps.context.log.warn(
      { err: error, folderId: state.folder.id, tries: state.refused.tries },
      'a folder was not read; it is tried again, or is no longer listed',
    );
    return undefined;
  }
}

/** False while its UIDs are others than those that are known: it is scanned again first. */
export async function reopen(session: Session, state: FolderState): Promise<boolean> {
  if (session.open?.path !== state.folder.path) await openFolder(session, state, undefined);
  const isSame = session.open?.uidValidity === state.sync?.uidValidity;
  if (!isSame) state.isDue = true;
  return isSame;
}

async function openFolder(session: Session, { folder: { path } }: FolderState, since: ReturnType<typeof sinceOf>) {
  session.open = null;
  const opened = await session.connection.open(path, since);
  session.open = { path, uidValidity: opened.uidValidity };
  return opened;
}

async function readChanges(session: Session, state: FolderState): Promise<{ uids: number[]; uidNext: number }> {
  const at = session.deps.context.clock.date();
  const opened = await openFolder(session, state, sinceOf(session, state));
  const { sync } = state;
  if (sync?.uidValidity !== opened.uidValidity) {
    await begin(session, state, opened);
    return { uids: [], uidNext: opened.uidNext };
  }
  await proveCount(session, state, opened);
  const { uidNext } = sync;
  const uids = opened.uidNext > uidNext ? await arrivals(session, uidNext) : [];
  await applyVanished(session, state, opened, uids.length, at);
  await applyFlags(session, state, opened, at);
  const highestModseq = String(opened.highestModseq ?? 0);
  if (highestModseq !== state.sync?.highestModseq) await saveSync(session, state, { highestModseq });
  return { uids, uidNext: opened.uidNext };
}

/** A range up to the last one holds that last one even where it lies before the first. */
async function arrivals({ connection }: Session, from: number): Promise<number[]> {
  return (await connection.uids(`${from}:*`)).filter((uid) => uid >= from);
}

/** A folder that is new, or whose UIDVALIDITY has changed: all of it has to be ingested. */
async function begin(session: Session, state: FolderState, opened: OpenedFolder): Promise<void> {
  const { uidValidity, uidNext, exists, highestModseq } = opened;
  if (state.sync) {
    await session.writer.forgetLocations(state.folder.id, uidValidity, session.pass);
    searchForMoved(session);
  }
  state.backlog = null;
  state.seen.clear();
  state.unstored.clear();
  state.doubtedIn = null;
  noteRead(state);
  state.sync = {
    uidValidity,
    uidNext,
    highestModseq: String(highestModseq ?? 0),
    lowestDone: uidNext,
    done: 0,
    total: exists,
    // Under new UIDs it is compared as soon as all of it was taken in.
    comparedAt: state.sync ? null : session.deps.context.clock.date(),
    surprises: state.sync?.surprises ?? 0,
  };
  await saveSync(session, state, {});
}

async function applyVanished(session: Session, state: FolderState, opened: OpenedFolder, arrived: number, at: Date) {
  const { writer, pass } = session;
  if (!state.sync) return;
  if (opened.vanished && opened.vanished.length > 0) {
    const { uidValidity } = opened;
    const changes = {
      folderId: state.folder.id,
      uidValidity,
      goneUids: [...opened.vanished],
      at: at.toISOString(),
      pass,
    };
    if ((await writer.apply(changes)).gone > 0) searchForMoved(session);
    const gone = new Set(opened.vanished);
    state.backlog = state.backlog?.filter((uid) => !gone.has(uid)) ?? null;
  }
  if (opened.vanished && state.doubtedIn === NEVER_COMPARED) state.doubtedIn = null;
  const left = remaining(state);
  const done = left === undefined ? undefined : opened.exists - arrived - left;
  const isShort = opened.vanished === null && done !== state.sync.done;
  if (isShort || isComparisonDue(session, state)) await compareFolder(session, state, opened, at);
  else if (done !== undefined && done !== state.sync.done) await saveSync(session, state, { done });
}

async function takeArrivals(session: Session, state: FolderState, uids: readonly number[]): Promise<void> {
  await ingestMessages(session, state, uids, {
    // A message that is copied here from an archive arrived long ago.
    isHistory: cameBefore(new Date(session.connectedAt.getTime() - CLOCK_SKEW_MS)),
    onStored: async (stored) => {
      const { done = 0, total = 0 } = state.sync ?? {};
      const uidNext = Math.max(...stored) + 1;
      await saveSync(session, state, { uidNext, done: done + stored.length, total: total + stored.length });
    },
  });
}
