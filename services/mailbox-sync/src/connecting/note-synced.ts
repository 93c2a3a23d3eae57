import type { Session } from '../session/session.ts';

const AT_MOST_EVERY_MS = 60_000;

/** Stores at intervals that the mailbox is in sync, for people who ask for the last time. */
export async function noteSynced(session: Session): Promise<void> {
  const { lease, deps } = session;
  const { clock } = deps.context;
  if (clock.now() - session.notedAt < AT_MOST_EVERY_MS) return;
  const { workspaceId, mailboxId, epoch } = lease;
  const lastSyncedAt = clock.date().toISOString();
  await deps.access.recordSync(
    { workspaceId, mailboxId, epoch, lastSyncedAt, folders: undefined, failed: undefined },
    {},
  );
  session.notedAt = clock.now();
}
