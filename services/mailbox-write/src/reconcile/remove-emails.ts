import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { EmailAsRead } from '../changes/email-as-read.ts';
import { changeAll } from './change-all.ts';
import { isLeaving, removedKey } from '../location/location.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';

/**
 * An email goes last, so that whoever finds it again goes on with what a crash has left; from its first step on no
 * message that comes in can be it any more.
 */
export async function removeEmails(
  deps: ReconcileDeps,
  mailbox: MailboxDocument,
  emails: readonly EmailAsRead[],
  pass: number,
): Promise<number> {
  const { workspaceId, _id: mailboxId } = mailbox;
  const { locations, removals, pendingCopies } = deps.stores;
  const isGone = ({ gone }: EmailAsRead) => gone?.isSure === true && gone.round < pass;
  const taken = await changeAll(deps, mailbox, {
    names: emails.filter((email) => !isLeaving(email)).map(({ _id }) => _id),
    read: (ids) => locations.byIds(workspaceId, mailboxId, ids),
    nameOf: ({ _id }) => _id,
    change: (email) =>
      isGone(email) && !isLeaving(email)
        ? deps.changeOf(workspaceId, email, { set: { messageKey: removedKey(email._id) } })
        : null,
  });
  const leaving = [...emails.filter(isLeaving), ...taken];
  if (leaving.length === 0) return 0;
  const ids = leaving.map(({ _id }) => _id);
  await removals.removeParts(workspaceId, ids);
  await pendingCopies.remove(
    workspaceId,
    leaving.flatMap(({ providerChanges }) => providerChanges.append?.id ?? []),
  );
  for (const email of leaving) await unlink(deps, workspaceId, email);
  const last = await removals.leaving(workspaceId, ids);
  return deps.removeAnnounced(workspaceId, mailboxId, last, (some) => removals.removeEmails(workspaceId, some));
}

/** A message that others answer keeps its link: it holds their conversation together. */
async function unlink({ stores: { removals } }: ReconcileDeps, workspaceId: string, email: EmailAsRead): Promise<void> {
  if (email.threadKey === '' || !(await removals.isUnneeded(workspaceId, email))) return;
  const link = await removals.takeLink(workspaceId, email);
  // Somebody who came between our look and our taking it has counted on it.
  if (link && !(await removals.isUnneeded(workspaceId, email))) await removals.putLinkBack(workspaceId, link);
}
