import type { FolderState, Session } from '../session/session.ts';
import { carryOwed } from '../carry/carry-owed.ts';
import { takeBacklog } from '../looking/backlog.ts';
import { lookAt } from '../looking/look.ts';
import { noteSynced } from './note-synced.ts';
import { goRound } from './round.ts';
import type { Wake } from './wake.ts';

/** While old mail is taken in nobody is told of new mail, so that the inbox is asked. */
const INBOX_BESIDE_BACKLOG_MS = 3_000;
/** Owed changes are looked for by the whole process; this is for those that were overlooked. */
const CARRY_MS = 60_000;

/** Keeps one mailbox in step for as long as its connection lasts and nobody stops it. */
export async function runSession(session: Session, wake: Wake, signal: AbortSignal): Promise<never> {
  const { clock } = session.deps.context;
  for (;;) {
    signal.throwIfAborted();
    const { look, carry } = wake.take();
    if (carry || look || clock.now() >= session.nextCarryAt) {
      session.nextCarryAt = clock.now() + CARRY_MS;
      await carryOwed(session);
    }
    if (look) session.nextRoundAt = session.nextFullRoundAt = 0;
    if (clock.now() >= session.nextRoundAt) await goRound(session);
    const due = session.folders.filter((state) => state.isDue || (look && isInbox(state)));
    if (due.length > 0) await lookAt(session, due);
    await noteSynced(session);
    if (await takeBacklog(session)) askForInbox(session, INBOX_BESIDE_BACKLOG_MS);
    else await rest(session, wake.signal(), signal);
  }
}

const isInbox = ({ folder }: FolderState) => folder.type === 'INBOX';

function askForInbox({ folders, deps }: Session, afterMs: number): void {
  for (const state of folders)
    if (isInbox(state) && deps.context.clock.now() - state.lookedAt >= afterMs) state.isDue = true;
}

/** In the inbox, so that the provider can say when mail comes; whatever it says, it is asked again after a while. */
async function rest(session: Session, woken: AbortSignal, stopped: AbortSignal): Promise<void> {
  const { connection, folders, deps } = session;
  const { clock } = deps.context;
  const inbox = folders.find(isInbox);
  if (!inbox) throw new Error('a mailbox without an inbox');
  if (session.open !== inbox.folder.path) return void (inbox.isDue = true);
  const lookMs = connection.has('IDLE') ? deps.lookMs.inbox : deps.lookMs.poll;
  const until = Math.min(session.nextRoundAt, session.nextCarryAt, inbox.lookedAt + lookMs);
  const late = new AbortController();
  const over = AbortSignal.any([woken, stopped, late.signal]);
  const timer = clock.sleep(Math.max(0, until - clock.now()), over).then(
    () => late.abort(),
    () => undefined,
  );
  const isChanged = await connection.idle(over);
  late.abort();
  await timer;
  if (isChanged || clock.now() >= inbox.lookedAt + lookMs) inbox.isDue = true;
}
