import type { Reads } from '@postroom/mail-store/access';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { QUERY_LIMIT } from '@postroom/mail-store/time-limit';

/** The facts about an email that changes state. */
export type EmailFacts = Pick<
  EmailDocument,
  '_id' | 'folderId' | 'folderType' | 'isRead' | 'isStarred' | 'labelIds' | 'messageKey'
>;
const STATE = { folderId: 1, folderType: 1, isRead: 1, isStarred: 1, labelIds: 1, messageKey: 1 } as const;

export type EmailStateStore = ReturnType<typeof createEmailStateStore>;

export function createEmailStateStore({ emails }: Reads<'emails'>) {
  return {
    find: async (workspaceId: string, emailIds: readonly string[]): Promise<EmailFacts[]> =>
      emailIds.length === 0
        ? []
        : emails.find({ workspaceId, _id: { $in: [...emailIds] } }, STATE, QUERY_LIMIT).lean<EmailFacts[]>(),
  };
}
