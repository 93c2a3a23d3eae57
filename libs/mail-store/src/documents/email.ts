import type { DraftSource, ScheduledStatus, StoredFolderType } from '@postroom/contract/lists';
import type { HasOutbox } from './outbox.ts';

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

/** What a server says became of a message that was sent from here. */
export interface ReportPart {
  messageIds: string[];
  recipients: { address: string; action: string; reason: string }[];
}

/** Where the provider keeps an email: no two of a mailbox have the same. */
export interface PlacePart {
  folderId: string;
  uidValidity: number;
  uid: number;
}

export interface PendingChange<T> {
  id: string;
  to: T;
  /** Absent from what was owed before it was noted. */
  at?: Date;
}

/** What the provider behind IMAP has yet to be told: the latest of each, with an id that it is taken off by. */
export interface ProviderChanges {
  isRead?: PendingChange<boolean>;
  isStarred?: PendingChange<boolean>;
  folderId?: PendingChange<string>;
  /** It was made here: the folder that wants a copy of it. The bytes are in `pendingCopies`, under this id. */
  append?: PendingChange<string>;
  /** A copy of it that is not wanted any more: the draft it was, or where it stood before its move. */
  remove?: PendingChange<PlacePart>;
}

/** It was not where it was. */
export interface GonePart {
  /** The look at all folders in which that was noticed. */
  round: number;
  /** False where it was only missing in a listing, which proves nothing. */
  isSure: boolean;
  /** It is about to have the location of its copy, which `place` says already: docs/decisions/0013. */
  isHandedOver?: true;
}

/** The state of a pending or quarantined classification. */
export interface ClassificationPart {
  /** Emails of one thread are classified in this order. Absent from what an earlier version took in. */
  order?: number;
  /** Nobody takes it up before: it is being worked on, or has failed, or waits behind another of its thread. */
  notBefore?: Date;
  /** The number of failed attempts. */
  attempts?: number;
  /** Why it failed last. */
  cause?: string;
  /** When it was given up. It then waits for an operator, and no longer for its classification. */
  quarantinedAt?: Date;
}

/** When the provider confirmed what was changed here: what it was seen to say before is older. */
export type Confirmed = Partial<Record<keyof ProviderChanges, Date>>;

export interface EmailDocument extends HasOutbox {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  folderId: string;
  folderType: StoredFolderType;
  /** The source's own name for the message: the same message is stored once. */
  sourceKey: string;
  /**
   * What no other email of the mailbox has: its place at its provider; of mail without one, Message-ID and content within
   * the folder of arrival, and the source key where a message came without an id.
   */
  messageKey: string;
  /** What the provider's copies of one message have in common, wherever they stand. '' of mail without a provider. */
  identity: string;
  /** Where it was last. `folderId` is where it is wanted, or where labels show it. Absent from mail without a provider. */
  place?: PlacePart;
  gone?: GonePart;
  confirmed?: Confirmed;
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
  /** The send that it is a copy of, or a report on. Absent from all other mail. */
  operation?: string;
  /** Of a report on a delivery: what it says. */
  report?: ReportPart;
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
  /** Until it is classified. */
  classification?: ClassificationPart;
  /** When its rules were asked and their labels put on: that happens once. */
  classifiedAt?: Date;
  /** The last bulk calls that changed this email, so that each of them can tell which changes were its own. */
  recentChanges?: string[];
  receivedAt: Date;
}

/** The event of an email that is removed, which outlives the email. Its id is the email's. */
export interface RemovedEmailDocument extends HasOutbox {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  expiresAt: Date;
}

/** A cache, evictable: lists and search never touch it. Its id is the email's. */
export interface BodyDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  html: string | null;
  text: string | null;
  createdAt: Date;
  /** Since when it could be let go of. Absent from mail that nobody could give again. */
  evictableSince?: Date;
}

/** An email of our own making as its provider is to get it, until it has. Its id is that of the owed `append`. */
export interface PendingCopyDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** Its first bytes, where it is more than a document holds; the others are under this id with their number. */
  raw: Buffer;
  pieces?: number;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * A piece of a message with attachments that came to a mailbox without a provider, who could give it again: kept for as
 * long as a rule may want to forward it.
 */
export interface OriginalPieceDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  emailId: string;
  position: number;
  /** How many there are. */
  pieces: number;
  bytes: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** A message that could not be taken in, kept whole with its cause. */
export interface QuarantinedMessageDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  sourceKey: string;
  cause: string;
  size: number;
  attempts: number;
  folderType: StoredFolderType;
  providerThreadId: string | null;
  providerLabels: string[];
  isRead: boolean;
  isStarred: boolean;
  isHistory: boolean;
  receivedAt: Date | null;
  providerId: string;
  place?: PlacePart;
  folderId: string | null;
  createdAt: Date;
  /** Absent from what an earlier version quarantined last. */
  expiresAt?: Date;
}

/** The bytes of a quarantined message, in pieces below the database's limit for one document. */
export interface QuarantinedPieceDocument {
  _id: string;
  workspaceId: string;
  setAsideId: string;
  position: number;
  bytes: Buffer;
  /** Behind that of its message, which is listed only while it is there whole. */
  expiresAt?: Date;
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
