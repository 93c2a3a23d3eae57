import type { EmailDocument, ProviderChanges } from '@postroom/mail-store/documents/email';

/** The fields of an email that a change by its provider depends on. */
export type EmailAsRead = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'identity'
  | 'messageKey'
  | 'bodyVersion'
  | 'sourceKey'
  | 'messageId'
  | 'operation'
  | 'threadId'
  | 'threadKey'
  | 'place'
  | 'gone'
  | 'confirmed'
  | 'folderId'
  | 'folderType'
  | 'isDraft'
  | 'isRead'
  | 'isStarred'
  | 'labelIds'
  | 'providerLabels'
  | 'providerChanges'
  | 'draft'
  | 'scheduledStatus'
  | 'receivedAt'
>;

export const AS_READ = {
  _id: 1,
  mailboxId: 1,
  identity: 1,
  messageKey: 1,
  bodyVersion: 1,
  sourceKey: 1,
  messageId: 1,
  operation: 1,
  threadId: 1,
  threadKey: 1,
  place: 1,
  gone: 1,
  confirmed: 1,
  folderId: 1,
  folderType: 1,
  isDraft: 1,
  isRead: 1,
  isStarred: 1,
  labelIds: 1,
  providerLabels: 1,
  providerChanges: 1,
  draft: 1,
  scheduledStatus: 1,
  receivedAt: 1,
} as const satisfies Record<keyof EmailAsRead, 1>;

export const PENDING_CHANGE_NAMES = [
  'isRead',
  'isStarred',
  'folderId',
  'append',
  'remove',
] as const satisfies (keyof ProviderChanges)[];

/** A filter: the email is as it was read, in everything that a change by its provider depends on. */
export type AsRead = Pick<EmailDocument, 'messageKey' | 'folderId' | 'isRead' | 'isStarred' | 'isDraft' | 'labelIds'> &
  Record<`providerChanges.${(typeof PENDING_CHANGE_NAMES)[number]}.id`, string | Absent> &
  Record<'gone.round', number | Absent> &
  Record<'gone.isSure', boolean | Absent>;

interface Absent {
  $exists: false;
}

const absent: Absent = { $exists: false };

export function asRead(email: EmailAsRead): AsRead {
  const { messageKey, folderId, isRead, isStarred, isDraft, labelIds, providerChanges, gone } = email;
  const pending = PENDING_CHANGE_NAMES.map(
    (name) => [`providerChanges.${name}.id`, providerChanges[name]?.id ?? absent] as const,
  );
  return {
    messageKey,
    folderId,
    isRead,
    isStarred,
    isDraft,
    labelIds,
    'gone.round': gone?.round ?? absent,
    'gone.isSure': gone?.isSure ?? absent,
    ...(Object.fromEntries(pending) as Record<(typeof pending)[number][0], string | Absent>),
  };
}
