import type { EventOf } from '@postroom/events/event';
import type { DataOf } from '@postroom/events/event-table';
import type { ChangeDocument } from '@postroom/mail-store/documents/change';

/** A change before it has its number. */
export type NewChange = Pick<ChangeDocument, '_id' | 'event' | 'data' | 'aspects' | 'createdAt'>;

interface ChangeShape<T extends FeedType> {
  /** The data as the contract announces it. */
  data: (data: DataOf<T>) => Record<string, unknown>;
  /** The facts of which it is the latest word. */
  aspects: (data: DataOf<T>) => string[];
}

export const existenceAspect = (emailId: string): string => `${emailId} exists`;
export const folderAspect = (emailId: string): string => `${emailId} folder`;
export const labelAspect = (emailId: string, tagId: string): string => `${emailId} label ${tagId}`;
export const flagAspect = (emailId: string, name: string): string => `${emailId} ${name}`;

const appearing = {
  data: ({ emailId, mailboxId, folderType }: DataOf<'email.created'>) => ({ emailId, mailboxId, folderType }),
  aspects: ({ emailId }: DataOf<'email.created'>) => [existenceAspect(emailId), folderAspect(emailId)],
};

const changeShapes = {
  'email.received': appearing,
  'email.created': appearing,
  'email.updated': {
    data: ({ emailId, changes }: DataOf<'email.updated'>) => ({ emailId, changes: flagsOf(changes) }),
    aspects: ({ emailId, changes }: DataOf<'email.updated'>) =>
      Object.keys(flagsOf(changes)).map((name) => flagAspect(emailId, name)),
  },
  'email.moved': {
    data: ({ emailId, mailboxId, folderId, folderType }: DataOf<'email.moved'>) => ({
      emailId,
      mailboxId,
      folderId,
      folderType,
    }),
    aspects: ({ emailId }: DataOf<'email.moved'>) => [folderAspect(emailId)],
  },
  'email.deleted': {
    data: ({ emailId }: DataOf<'email.deleted'>) => ({ emailId }),
    aspects: ({ emailId }: DataOf<'email.deleted'>) => [folderAspect(emailId)],
  },
  'email.removed': {
    data: ({ emailId, mailboxId }: DataOf<'email.removed'>) => ({ emailId, mailboxId }),
    aspects: ({ emailId }: DataOf<'email.removed'>) => [existenceAspect(emailId)],
  },
  'label.applied': {
    data: ({ emailId, tagId, tagName, isAiLabel }: DataOf<'label.applied'>) => ({ emailId, tagId, tagName, isAiLabel }),
    aspects: ({ emailId, tagId }: DataOf<'label.applied'>) => [labelAspect(emailId, tagId)],
  },
  'label.removed': {
    data: ({ emailId, tagId }: DataOf<'label.removed'>) => ({ emailId, tagId }),
    aspects: ({ emailId, tagId }: DataOf<'label.removed'>) => [labelAspect(emailId, tagId)],
  },
  'draft.sent': {
    data: ({ mailboxId, messageId, threadId, to, subject }: DataOf<'draft.sent'>) => ({
      mailboxId,
      messageId,
      threadId: threadId ?? null,
      to,
      subject,
    }),
    aspects: () => [],
  },
  'mailbox.sync_failed': {
    data: ({ mailboxId, error, failCount, deactivated }: DataOf<'mailbox.sync_failed'>) => ({
      mailboxId,
      error,
      failCount,
      deactivated,
    }),
    aspects: () => [],
  },
} as const satisfies Record<string, { data: unknown; aspects: unknown }>;

export type FeedType = keyof typeof changeShapes;
export const FEED_TYPES = Object.keys(changeShapes) as FeedType[];

export function toNewChange<T extends FeedType>({ id, type, occurredAt, data }: EventOf<T>): NewChange {
  const { data: dataOf, aspects } = changeShapes[type] as unknown as ChangeShape<T>;
  return { _id: id, event: type, data: dataOf(data), aspects: aspects(data), createdAt: occurredAt };
}

function flagsOf({ isRead, isStarred }: NonNullable<DataOf<'email.updated'>['changes']> = {}) {
  return { ...(isRead !== undefined && { isRead }), ...(isStarred !== undefined && { isStarred }) };
}
