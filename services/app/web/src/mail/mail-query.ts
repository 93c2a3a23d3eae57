import { FOLDER_TYPES } from '@postroom/contract/lists';
import { withQuery } from '../url/query.ts';

/** The part of the address of the page that the list depends on. */
export const MAIL_STATE = ['mailbox', 'folder', 'view', 'label', 'show', 'q'] as const;

export type MailState = Partial<Record<(typeof MAIL_STATE)[number], string>>;

/** Without a folder it is the inbox, because that is where mail waits; views and labels look everywhere. */
export const ANYWHERE = 'all';

/** The path of the list, below that of the workspace. */
export function listPathOf({ mailbox, folder, view, label, show, q }: MailState): string {
  return withQuery('/emails', {
    mailboxId: mailbox,
    folderType: show === 'hidden' ? null : folderTypeOf({ folder, view, label, q }),
    viewId: show === 'hidden' ? null : view,
    labelId: label,
    unread: show === 'unread' ? 'only' : null,
    filtered: show === 'hidden' ? 'only' : null,
    search: q,
    limit: '100',
  });
}

export function folderTypeOf({ folder, view, label, q }: MailState): string | null {
  if (folder === ANYWHERE) return null;
  const known = FOLDER_TYPES.find((type) => type === folder);
  if (known) return known;
  return view || label || q ? null : 'INBOX';
}

/** An opened email keeps the list that it was opened from in its address. */
export const emailPathOf = (id: string, state: MailState): string =>
  withQuery(`/mail/${encodeURIComponent(id)}`, state);
