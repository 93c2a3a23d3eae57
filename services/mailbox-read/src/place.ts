import { ApiError } from '@postroom/errors/api-error';
import { FOLDER_TYPES } from '@postroom/mail-store/documents/mailbox';
import type { Query } from '@postroom/mail-store/filter-tree/query';

interface Place {
  mailboxId?: string | undefined;
  folderType?: string | undefined;
}

/** Where to look. A mailbox that is not there is no fault: nothing lies in it. */
export function placeQuery({ mailboxId, folderType }: Place): Query {
  if (folderType !== undefined && !(FOLDER_TYPES as readonly string[]).includes(folderType)) {
    throw new ApiError('VALIDATION_FAILED', { details: { folderType: [`must be one of ${FOLDER_TYPES.join(', ')}`] } });
  }
  return { ...(mailboxId !== undefined && { mailboxId }), ...(folderType !== undefined && { folderType }) };
}
