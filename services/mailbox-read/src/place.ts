import type { Query } from '@postroom/mail-store/filter-tree/query';

interface Place {
  mailboxId?: string | undefined;
  folderType?: string | undefined;
}

/** The scope of a listing. An unknown mailbox is no error: the page is empty. */
export function placeQuery({ mailboxId, folderType }: Place): Query {
  return { ...(mailboxId !== undefined && { mailboxId }), ...(folderType !== undefined && { folderType }) };
}
