import { ApiError } from '@postroom/errors/api-error';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import type { Clock } from '@postroom/runtime/clock';
import { createRecentMap } from '@postroom/runtime/recent-map';
import type { EmailStore } from './email-store.ts';

/** Own mail often follows a message that came in: a rule forwards or answers it. */
const RECENT_MS = 5_000;
const MOST_RECENT = 200;
/** Those with more are read each time: the sum of what is kept has a bound, too. */
const MOST_FOLDERS = 100;
const NO_MAILBOX = 'There is no such mailbox; list the mailboxes for their ids.';

interface Deps {
  emails: Pick<EmailStore, 'findMailbox'>;
  context: { clock: Pick<Clock, 'now'> };
}

export function createMailboxes({ emails, context: { clock } }: Deps) {
  const recent = createRecentMap<{ mailbox: MailboxDocument; until: number }>(MOST_RECENT);
  const keyOf = (workspaceId: string, mailboxId: string) => `${workspaceId} ${mailboxId}`;

  const requireMailbox = async (workspaceId: string, mailboxId: string): Promise<MailboxDocument> => {
    const mailbox = await emails.findMailbox(workspaceId, mailboxId);
    if (!mailbox) throw new ApiError('MAILBOX_NOT_FOUND', { message: NO_MAILBOX });
    // Before its first sync the folders of a mailbox change at any moment.
    const mayBeKept = mailbox.provider !== 'imap' || mailbox.lastSyncedAt !== null;
    if (mayBeKept && mailbox.folders.length <= MOST_FOLDERS)
      recent.set(keyOf(workspaceId, mailboxId), { mailbox, until: clock.now() + RECENT_MS });
    return mailbox;
  };

  return {
    requireMailbox,
    /** As it was five seconds ago at the most. */
    async recentMailbox(workspaceId: string, mailboxId: string): Promise<MailboxDocument> {
      const known = recent.get(keyOf(workspaceId, mailboxId));
      return known && clock.now() < known.until ? known.mailbox : requireMailbox(workspaceId, mailboxId);
    },
  };
}
