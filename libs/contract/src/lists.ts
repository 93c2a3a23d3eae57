/* The closed lists of the contract: schemas, stored shapes and rules are typed by them. */

export const FOLDER_TYPES = ['INBOX', 'SENT', 'DRAFTS', 'SPAM', 'TRASH'] as const;
export type FolderType = (typeof FOLDER_TYPES)[number];
/** A provider has folders that the contract has no type for. */
export const STORED_FOLDER_TYPES = [...FOLDER_TYPES, 'OTHER'] as const;
export type StoredFolderType = (typeof STORED_FOLDER_TYPES)[number];

export const SCOPES = ['read', 'write'] as const;
export type Scope = (typeof SCOPES)[number];

/** Parts of the API that stay closed until an operator opens them by name. */
export const FEATURES = ['changes', 'webhooks', 'threads'] as const;
export type Feature = (typeof FEATURES)[number];

export const MAILBOX_STATUSES = ['active', 'disconnected'] as const;
export type MailboxStatus = (typeof MAILBOX_STATUSES)[number];

export const INBOX_FILTER_TYPES = ['sender', 'domain', 'subject', 'label'] as const;
export type InboxFilterType = (typeof INBOX_FILTER_TYPES)[number];

export const SCHEDULED_STATUSES = ['pending', 'sending', 'sent', 'canceled', 'failed'] as const;
export type ScheduledStatus = (typeof SCHEDULED_STATUSES)[number];

export const DRAFT_SOURCES = ['api', 'auto_draft'] as const;
export type DraftSource = (typeof DRAFT_SOURCES)[number];

export const AUTO_FORWARD_FIELDS = [
  'label',
  'sender_contains',
  'sender_equals',
  'subject_contains',
  'subject_equals',
] as const;
export type AutoForwardField = (typeof AUTO_FORWARD_FIELDS)[number];

export const AUTO_FORWARD_MODES = ['normal', 'invisible'] as const;
export type AutoForwardMode = (typeof AUTO_FORWARD_MODES)[number];

export const AUTO_FORWARD_STATUSES = ['pending', 'sent', 'failed', 'skipped'] as const;
export type AutoForwardStatus = (typeof AUTO_FORWARD_STATUSES)[number];

/** The announced events, which webhooks deliver; the feed of changes has more. */
export const WEBHOOK_EVENTS = [
  'email.received',
  'email.updated',
  'email.deleted',
  'draft.sent',
  'label.applied',
  'mailbox.sync_failed',
] as const;
export type WebhookEvent = (typeof WEBHOOK_EVENTS)[number];

export const CHANGE_EVENTS = [
  ...WEBHOOK_EVENTS,
  'email.created',
  'email.moved',
  'email.removed',
  'label.removed',
] as const;

export const WEBHOOK_STATUSES = ['enabled', 'paused', 'disabled'] as const;
export type WebhookStatus = (typeof WEBHOOK_STATUSES)[number];

export const DELIVERY_STATUSES = ['pending', 'delivered', 'abandoned'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

/** Whether an untrusted value is in the list; narrows it to the list's type. */
export function isOneOf<const T extends string>(list: readonly T[], value: unknown): value is T {
  return (list as readonly unknown[]).includes(value);
}

/** Returns the message for a caller whose value is not in the list. */
export function mustBeOneOf(list: readonly string[]): string {
  return `must be one of ${list.join(', ')}`;
}
