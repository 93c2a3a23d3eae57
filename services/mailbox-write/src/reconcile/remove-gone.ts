import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { mergeMoved } from './merge-moved.ts';
import type { ReconcileDeps } from './reconcile-deps.ts';
import { removeEmails } from './remove-emails.ts';

const AT_ONCE = 500;

/** Removes the emails that were gone before this pass and were found nowhere in it. Safe to repeat. */
export async function removeGone(deps: ReconcileDeps, mailbox: MailboxDocument, pass: number): Promise<number> {
  const { workspaceId, _id: mailboxId } = mailbox;
  for (let removed = 0; ;) {
    const gone = await deps.stores.gone.goneBefore(workspaceId, mailboxId, pass, AT_ONCE);
    // The last chance to see that it has only moved, where a crash kept that from being noticed.
    const identities = gone.map(({ identity }) => identity);
    const moved = await mergeMoved(deps, mailbox, identities);
    const count = await removeEmails(deps, mailbox, gone, pass);
    removed += count;
    if (count + moved < AT_ONCE) return removed;
  }
}
