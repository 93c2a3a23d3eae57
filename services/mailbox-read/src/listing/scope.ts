import { ALWAYS, type Query } from '@postroom/mail-store/filter-tree/query';

interface Scope {
  mailboxId?: string | undefined;
  folderType?: string | undefined;
}

/** The scope of a listing. An unknown mailbox is no error: the page is empty. */
export function scopeQuery({ mailboxId, folderType }: Scope): Query {
  if (mailboxId === undefined && folderType === undefined) return ALWAYS;
  return { ...(mailboxId !== undefined && { mailboxId }), ...(folderType !== undefined && { folderType }) };
}
