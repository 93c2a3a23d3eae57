import type { FlagState, OpenedFolder } from '../imap/imap-connection.ts';
import { boundedLabels } from '@postroom/mail-store/email-bounds';
import { shownIn } from '../folders/gmail.ts';
import type { FolderState, Session } from '../session/session.ts';
import { isCounted } from './change-counter.ts';

const AT_ONCE = 500;
/** The number of newest messages whose flags are read in each pass when a provider has no change counter. */
const NEWEST = 2_000;

/** The flags that other clients changed since the last scan. */
export async function applyFlags(session: Session, state: FolderState, opened: OpenedFolder, at: Date): Promise<void> {
  const { writer, pass, labelFolders } = session;
  const { folder, sync } = state;
  if (!sync || opened.exists === 0 || sync.uidNext <= 1) return;
  let states: FlagState[] = [];
  const apply = async () => {
    if (states.length === 0) return;
    const changed = states.map(({ uid, isRead, isStarred, labels }) => ({
      uid,
      isRead,
      isStarred,
      labels: boundedLabels(labels),
      folderId: shownIn(labelFolders, folder, labels),
    }));
    states = [];
    const { uidValidity } = opened;
    await writer.apply({ folderId: folder.id, uidValidity, states: changed, at: at.toISOString(), pass });
  };
  for await (const flags of changedFlags(session, state, opened)) {
    states.push(flags);
    if (states.length === AT_ONCE) await apply();
  }
  await apply();
}

async function* changedFlags(session: Session, state: FolderState, opened: OpenedFolder): AsyncIterable<FlagState> {
  const { connection } = session;
  const { sync, seen } = state;
  if (!sync) return;
  const last = sync.uidNext - 1;
  if (isCounted(state, opened)) {
    const since = BigInt(sync.highestModseq);
    if (opened.highestModseq !== null && opened.highestModseq > since) yield* connection.flags(`1:${last}`, since);
    return;
  }
  const first = Math.max(1, last - NEWEST + 1);
  for await (const flags of connection.flags(`${first}:${last}`)) {
    const mark = `${flags.isRead}:${flags.isStarred}:${boundedLabels(flags.labels).join()}`;
    if (seen.get(flags.uid) === mark) continue;
    seen.set(flags.uid, mark);
    yield flags;
  }
  for (const uid of seen.keys()) if (uid < first) seen.delete(uid);
}
