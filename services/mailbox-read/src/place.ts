import type { Query } from '@postroom/mail-store/filter-tree/query';

interface Place {
  mailboxId?: string | undefined;
  folderType?: string | undefined;
}

/** Where to look. A mailbox that is not there is no fault: nothing lies in it. */
export function placeQuery({ mailboxId, folderType }: Place): Query {
  return { ...(mailboxId !== undefined && { mailboxId }), ...(folderType !== undefined && { folderType }) };
}
