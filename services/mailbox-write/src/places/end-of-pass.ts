import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { mergeMoved } from './merging.ts';
import type { PlaceDeps } from './place-deps.ts';
import { removeEmails } from './removing.ts';

const AT_ONCE = 500;

/** Removes the emails that were gone before this pass and were found nowhere in it. Safe to repeat. */
export async function removeGone(deps: PlaceDeps, mailbox: MailboxDocument, round: number): Promise<number> {
  const { workspaceId, _id: mailboxId } = mailbox;
  for (let removed = 0; ;) {
    const gone = await deps.stores.gone.goneBefore(workspaceId, mailboxId, round, AT_ONCE);
    // The last chance to see that it has only moved, where a crash kept that from being noticed.
    const identities = gone.map(({ identity }) => identity);
    const moved = await mergeMoved(deps, mailbox, identities);
    const count = await removeEmails(deps, mailbox, gone, round);
    removed += count;
    if (count + moved < AT_ONCE) return removed;
  }
}
