import { abortedByAny } from '@postroom/runtime/abort';
import { startTimer } from '@postroom/runtime/timer';
import type { Session } from '../session/session.ts';
import { writePending } from '../write-back/write-pending.ts';
import { takeBacklog } from '../scanning/backlog.ts';
import { scanFolders } from '../scanning/scan.ts';
import { noteSynced } from './note-synced.ts';
import { runPass } from './pass.ts';
import type { Wake } from './wake.ts';

/** New mail is polled while old mail is ingested, because there is no IDLE meanwhile. */
const NEW_MAIL_BESIDE_BACKLOG_MS = 3_000;
/** The process polls pending changes of all mailboxes. This interval is for those that it missed. */
const WRITE_BACK_MS = 60_000;

/** A server that tells of changes without end has the inbox scanned this often at most. */
const LEAST_GAP_MS = 500;

interface Around {
  wake: Wake;
  /** The provider has answered. */
  hear(): void;
  signal: AbortSignal;
}

/** Syncs one mailbox until its connection ends or it is stopped. */
export async function runSession(session: Session, { wake, hear, signal }: Around): Promise<never> {
  const { clock } = session.deps.context;
  for (;;) {
    signal.throwIfAborted();
    const { scan, writeBack } = wake.take();
    if (writeBack || scan || clock.now() >= session.nextWriteAt) {
      session.nextWriteAt = clock.now() + WRITE_BACK_MS;
      await writePending(session);
    }
    if (scan) session.nextPassAt = session.nextFullPassAt = 0;
    if (clock.now() >= session.nextPassAt) await runPass(session);
    const due = session.folders.filter((state, position) => state.isDue || (scan && position === 0));
    if (due.length > 0) await scanFolders(session, due);
    hear();
    await noteSynced(session);
    if (await takeBacklog(session)) askForNewMail(session, NEW_MAIL_BESIDE_BACKLOG_MS);
    else if (clock.now() < session.nextPassAt) await rest(session, wake.signal(), signal);
  }
}

function askForNewMail({ folders: [first], deps }: Session, afterMs: number): void {
  if (first && deps.context.clock.now() - first.scannedAt >= afterMs) first.isDue = true;
}

/** Waits in the inbox for a notification. The scan comes after an interval in any case. */
async function rest(session: Session, woken: AbortSignal, stopped: AbortSignal): Promise<void> {
  const { connection, deps } = session;
  const { clock } = deps.context;
  const [first] = session.folders;
  if (!first) throw new Error('a mailbox without an inbox');
  if (session.open?.path !== first.folder.path) return void (first.isDue = true);
  const scanMs = connection.has('IDLE') ? deps.scanMs.inbox : deps.scanMs.poll;
  const until = Math.min(session.nextPassAt, session.nextWriteAt, first.scannedAt + scanMs);
  const late = new AbortController();
  const isChanged = await abortedByAny([woken, stopped, late.signal], async (over) => {
    const cancel = startTimer(clock, Math.max(0, until - clock.now()), () => late.abort());
    return connection.idle(over).finally(cancel);
  });
  const tooSoonMs = first.scannedAt + LEAST_GAP_MS - clock.now();
  if (isChanged && tooSoonMs > 0) await clock.sleep(tooSoonMs, stopped);
  if (isChanged || clock.now() >= first.scannedAt + scanMs) first.isDue = true;
}
