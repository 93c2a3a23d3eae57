import type { DraftSource, ScheduledStatus, StoredFolderType } from '@postroom/contract/lists';
import type { LabelEffectPart, UndonePart } from './effect.ts';
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

/** The content of a delivery report: a server says what happened to a message that was sent from here. */
export interface ScheduledByPart {
  sendId: string;
  epoch: number;
}

export interface ReportPart {
  messageIds: string[];
  recipients: { address: string; action: string; reason: string }[];
}

/** The IMAP location of an email. No two emails of a mailbox have the same. */
export interface LocationPart {
  folderId: string;
  uidValidity: number;
  uid: number;
}

export interface PendingChange<T> {
  id: string;
  to: T;
  /** Absent from changes of an earlier version. */
  at?: Date;
}

/** Changes that the IMAP provider does not have yet, the latest of each kind. A change is removed by its id. */
export interface ProviderChanges {
  isRead?: PendingChange<boolean>;
  isStarred?: PendingChange<boolean>;
  folderId?: PendingChange<string>;
  /** The folder that needs a copy of an email created here. The bytes are in `pendingCopies`, under this id. */
  append?: PendingChange<string>;
  /** A copy to remove: the draft that became this email, or its IMAP location before a move. */
  remove?: PendingChange<LocationPart>;
}

/** The email is missing from its last known IMAP location. */
export interface GonePart {
  /** The sync pass over all folders that noticed it. */
  round: number;
  /** False when it was only missing in a listing, which proves nothing. */
  isSure: boolean;
  /** The email is about to get the location of its copy. `place` has it already: docs/decisions/0013. */
  isHandedOver?: true;
}

/** The state of a pending or quarantined classification. */
export interface ClassificationPart {
  /** Emails of one thread are classified in this order. Absent from emails that an earlier version stored. */
  order?: number;
  /** No worker starts it before this time: it is in progress, has failed, or waits for another email of its thread. */
  notBefore?: Date;
  /** The number of failed attempts. */
  attempts?: number;
  /** Why it failed last. */
  cause?: string;
  /** When it was given up. It then waits for an operator, and no longer for its classification. */
  quarantinedAt?: Date;
}

/** The header that names the mailbox which the email came to. */
export type MailboxIn = 'to' | 'cc' | 'neither';

/** When the provider confirmed each change that was made here. A state read from it before then is older. */
export type Confirmed = Partial<Record<keyof ProviderChanges, Date>>;

/** Results of RFC 8601, by method. */
export interface AuthenticationPart {
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
}

/** One email of one mailbox, with the fields that listings and filters need. Its body is in a collection of its own. */
export interface EmailDocument extends HasOutbox {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  folderId: string;
  folderType: StoredFolderType;
  /** The source's own name for the message: the same message is stored once. */
  sourceKey: string;
  /**
   * A key that no other email of the mailbox has: the IMAP location. Without a provider it is the folder of arrival
   * with the digest of Message-ID and content, or with the source key of a message without a Message-ID.
   */
  messageKey: string;
  /** The provider's copies of one message share this key, in every folder. '' for mail without an IMAP provider. */
  identity: string;
  /** The last known IMAP location. `folderId` is the wanted folder or that of its labels. Absent without a provider. */
  place?: LocationPart;
  gone?: GonePart;
  confirmed?: Confirmed;
  threadId: string | null;
  /** The name of this email in its ThreadLinkDocument; '' when the provider decides the thread. */
  threadKey: string;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: AddressPart;
  to: AddressPart[];
  cc: AddressPart[];
  bcc: AddressPart[];
  /** Absent from mail of the mailbox itself, and from emails of earlier versions. */
  mailboxIn?: MailboxIn;
  /** The addresses that the mailbox itself wrote to here, in lower case, Bcc included. Absent from mail of others. */
  writtenTo?: string[];
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
  /** The List-Id in lower case. Absent from mail without one, and from emails of earlier versions. */
  listId?: string;
  /** Another address of the sender's domain to which answers are to go. */
  replyTo: string | null;
  /** The server that received it says that it is not from whom it says. */
  failsDmarc: boolean;
  /** The results of that server's checks of the sender. Absent where it says nothing, and from emails of earlier versions. */
  authentication?: AuthenticationPart;
  /** True until its thread and its waiting-for-reply state are complete. After a crash they are completed later. */
  isUnsettled: boolean;
  /** The send that it is a copy of, or a report on. Absent from all other mail. */
  operation?: string;
  /** The content of a delivery report. Absent from all other mail. */
  report?: ReportPart;
  isAutoForward: boolean;
  isAutoReply: boolean;
  scheduledSendAt: Date | null;
  scheduledStatus: ScheduledStatus | null;
  /** The newest claim of a send that wrote the schedule. Absent before a send wrote it. */
  scheduledBy?: ScheduledByPart;
  draft: DraftPart | null;
  /** The sender's address and domain, lower case, for filters by equality. */
  senderAddress: string;
  senderDomain: string;
  folded: FoldedPart;
  /** Search words: "h:" for those in the subject and people, "t:" for those in the text alone (see words.ts). */
  words: string[];
  /** The list item's JSON without its mutable parts (see list-projection.ts). */
  rendered: string;
  providerChanges: ProviderChanges;
  /** The start of the wait for the provider. Absent when no change is pending. */
  providerChangesSince?: Date;
  /** Since when the email waits for its classification. Absent from emails that need none or have it. */
  awaitsClassificationSince?: Date;
  /** Until it is classified. */
  classification?: ClassificationPart;
  /** When the rules were applied and their labels added, which happens once. */
  classifiedAt?: Date;
  /** The labels that rules put on it, the newest last. Written with the label itself. */
  labelEffects?: LabelEffectPart[];
  /** Of its labels, those that a rule put on and that nobody has taken off since. */
  ruleLabelIds?: string[];
  undoneEffects?: UndonePart[];
  /** The last bulk calls that changed this email, so that each of them can tell which changes were its own. */
  recentChanges?: string[];
  receivedAt: Date;
}

/** The event of a removed email. It outlives the email and has the email's id. */
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
  /** Since when the body can be evicted. Absent from mail that no provider could return. */
  evictableSince?: Date;
}

/** The bytes of an email that was created here, until its provider has it. Its id is that of the pending `append`. */
export interface PendingCopyDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  /** The first piece, when the bytes exceed one document. The other pieces have this id with their number. */
  raw: Buffer;
  pieces?: number;
  createdAt: Date;
  expiresAt: Date;
}

/**
 * A piece of a message with attachments. Its mailbox has no provider that could return the message again, so the pieces
 * are kept as long as a rule may forward it.
 */
export interface OriginalPieceDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  emailId: string;
  position: number;
  /** The number of pieces of the message. */
  pieces: number;
  bytes: Buffer;
  createdAt: Date;
  expiresAt: Date;
}

/** A message that could not be parsed or stored. It is kept whole, with the cause. */
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
  place?: LocationPart;
  folderId: string | null;
  createdAt: Date;
  /** Absent from messages that an earlier version quarantined. */
  expiresAt?: Date;
}

/** The bytes of a quarantined message, in pieces below the database's limit for one document. */
export interface QuarantinedPieceDocument {
  _id: string;
  workspaceId: string;
  setAsideId: string;
  position: number;
  bytes: Buffer;
  /** Later than the expiry of its message, because a message is listed only while it is complete. */
  expiresAt?: Date;
}

/** The thread of a message, by its Message-ID. Mail in Spam has a name instead that no other message can refer to. */
export interface ThreadLinkDocument {
  _id: string;
  workspaceId: string;
  mailboxId: string;
  messageId: string;
  threadId: string;
  /** The ids that it answers, the nearest first, up to the first stored one at its arrival. Absent from older links. */
  answers?: string[];
}
