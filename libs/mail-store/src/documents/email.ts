import type { DraftSource, FolderType, ScheduledStatus } from '@postroom/contract/lists';
import type { OwesEvents } from './outbox.ts';

export interface AddressPart {
  email: string;
  name: string | null;
}

export interface AttachmentPart {
  filename: string;
  size: number;
  mimeType: string;
}

/**
 * Text folded for filters (see fold.ts). Each value is a block of lines, "\nfirst\nsecond\n", so that contains,
 * equals, starts_with and ends_with are all one search for a piece of text.
 */
export interface FoldedPart {
  from: string;
  to: string;
  cc: string;
  subject: string;
  text: string;
}

export interface DraftPart {
  source: DraftSource;
  ruleId: string | null;
  signature: string | null;
  createdAt: Date;
  updatedAt: Date;
}

/** What the provider behind IMAP has yet to be told: the latest of each, with an id that it is taken off by. */
export interface ProviderChanges {
  isRead?: { id: string; to: boolean };
  isStarred?: { id: string; to: boolean };
  folderId?: { id: string; to: string };
}

export interface EmailDocument extends OwesEvents {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  folderId: string;
  folderType: FolderType;
  /** The source's own name for the message: the same message is stored once. */
  sourceKey: string;
  /** Message-ID and content within the folder of arrival; the source key stands in where a message came without an id. */
  messageKey: string;
  threadId: string | null;
  /** What its thread knows it by (see ThreadLinkDocument); '' where the thread is the provider's. */
  threadKey: string;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: AddressPart;
  to: AddressPart[];
  cc: AddressPart[];
  bcc: AddressPart[];
  subject: string;
  snippet: string;
  date: Date;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  hasAttachments: boolean;
  attachments: AttachmentPart[];
  labelIds: string[];
  providerLabels: string[];
  waitingForReply: boolean;
  /** It says that no person wrote it, or is a bounce or list mail. */
  isAutomatic: boolean;
  /** Another address of the sender's domain to which answers are to go. */
  replyTo: string | null;
  /** The server that received it says that it is not from whom it says. */
  failsDmarc: boolean;
  /** True until its thread, and what waits for a reply in it, are settled: what a crash leaves is finished later. */
  isUnsettled: boolean;
  isAutoForward: boolean;
  isAutoReply: boolean;
  scheduledSendAt: Date | null;
  scheduledStatus: ScheduledStatus | null;
  draft: DraftPart | null;
  /** The sender's address and domain, lower case, for filters by equality. */
  senderAddress: string;
  senderDomain: string;
  folded: FoldedPart;
  /** Search words: "h:" for those in the subject and people, "t:" for those in the text alone (see words.ts). */
  words: string[];
  /** The list item's JSON without its mutable parts (see render.ts). */
  rendered: string;
  providerChanges: ProviderChanges;
  /** Since when there are any. */
  providerChangesSince?: Date;
  /** Since when the rules have yet to be asked about it. Absent from mail that no rule is asked about, and from mail done with. */
  awaitsClassificationSince?: Date;
  /** When its rules were asked and their labels put on: that happens once. */
  classifiedAt?: Date;
  /** The last bulk calls that changed this email, so that each of them can tell which changes were its own. */
  recentChanges?: string[];
  receivedAt: Date;
}

/** A cache, evictable: lists and search never touch it. Its id is the email's. */
export interface BodyDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  html: string | null;
  text: string | null;
  createdAt: Date;
}

/** A message that could not be taken in, kept whole with its cause. */
export interface SetAsideDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  sourceKey: string;
  cause: string;
  size: number;
  attempts: number;
  folderType: FolderType;
  providerThreadId: string | null;
  providerLabels: string[];
  isRead: boolean;
  isStarred: boolean;
  isHistory: boolean;
  receivedAt: Date | null;
  createdAt: Date;
}

/** The bytes of a message set aside, in pieces below the database's limit for one document. */
export interface SetAsidePieceDocument {
  _id: string;
  workspaceId: string;
  setAsideId: string;
  position: number;
  bytes: Buffer;
}

/** Which thread a message belongs to, by its Message-ID, or by a name nothing can refer to where it is mail in Spam. */
export interface ThreadLinkDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  messageId: string;
  threadId: string;
  /** The ids it answers, the nearest first, up to the first that was there when it came. Older links have none. */
  answers?: string[];
}
