import type { DraftSource, ScheduledStatus, StoredFolderType } from '@postroom/contract/lists';
import { labelEffectPart, undonePart } from './effect.ts';
import { outboxFields } from './outbox.ts';
import { type TypeOf, nullable, absentOr, part, presentText, required, schema, typed } from '../schemas/schema.ts';

export interface AddressPart extends TypeOf<typeof addressPart> {}
const addressPart = part({ email: presentText, name: nullable(String) });

export interface AttachmentPart extends TypeOf<typeof attachmentPart> {}
const attachmentPart = part({ filename: presentText, size: Number, mimeType: presentText });

/**
 * Text folded for filters (see fold.ts). Each value is a block of lines, "\nfirst\nsecond\n", so that contains,
 * equals, starts_with and ends_with are all one search for a piece of text.
 */
export interface FoldedPart extends TypeOf<typeof foldedPart> {}
const foldedPart = part({
  from: presentText,
  to: presentText,
  cc: presentText,
  subject: presentText,
  text: presentText,
});

export interface DraftPart extends TypeOf<typeof draftPart> {}
const draftPart = part({
  source: typed<DraftSource>(String),
  ruleId: nullable(String),
  signature: nullable(String),
  createdAt: Date,
  updatedAt: Date,
});

export interface ScheduleClaimPart extends TypeOf<typeof scheduleClaimPart> {}
const scheduleClaimPart = part({ sendId: required(String), epoch: required(Number) });

/** The content of a delivery report: a server says what happened to a message that was sent from here. */
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
export interface EmailDocument extends TypeOf<typeof emailSchema> {}
export const emailSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  folderId: required(String),
  folderType: required(typed<StoredFolderType>(String)),
  /** The source's own name for the message: the same message is stored once. */
  sourceKey: required(String),
  /**
   * A key that no other email of the mailbox has: the IMAP location. Without a provider it is the folder of arrival
   * with the digest of Message-ID and content, or with the source key of a message without a Message-ID.
   */
  messageKey: required(String),
  /** The provider's copies of one message share this key, in every folder. '' for mail without an IMAP provider. */
  identity: presentText,
  /** Of a draft that a mail program has saved: the version that its body has to be of. */
  bodyVersion: absentOr(String),
  /** The last known IMAP location. `folderId` is the wanted folder or that of its labels. Absent without a provider. */
  place: absentOr(typed<LocationPart>(Object)),
  gone: absentOr(typed<GonePart>(Object)),
  confirmed: absentOr(typed<Confirmed>(Object)),
  threadId: nullable(String),
  /** The name of this email in its ThreadLinkDocument; '' when the provider decides the thread. */
  threadKey: presentText,
  messageId: presentText,
  inReplyTo: nullable(String),
  references: [String],
  from: addressPart,
  to: [addressPart],
  cc: [addressPart],
  bcc: [addressPart],
  /** Absent from mail of the mailbox itself, and from emails of earlier versions. */
  mailboxIn: absentOr(typed<MailboxIn>(String)),
  /** The addresses that the mailbox itself wrote to here, in lower case, Bcc included. Absent from mail of others. */
  writtenTo: absentOr([String]),
  subject: presentText,
  snippet: presentText,
  date: required(Date),
  isRead: Boolean,
  isStarred: Boolean,
  isDraft: Boolean,
  hasAttachments: Boolean,
  attachments: [attachmentPart],
  labelIds: [String],
  providerLabels: [String],
  waitingForReply: Boolean,
  /** It says that no person wrote it, or is a bounce or list mail. */
  isAutomatic: Boolean,
  /** The List-Id in lower case. Absent from mail without one, and from emails of earlier versions. */
  listId: absentOr(String),
  /** Another address of the sender's domain to which answers are to go. */
  replyTo: nullable(String),
  /** The server that received it says that it is not from whom it says. */
  failsDmarc: Boolean,
  /** The results of that server's checks of the sender. Absent where it says nothing, and from emails of earlier versions. */
  authentication: absentOr(typed<AuthenticationPart>(Object)),
  /** True until its thread and its waiting-for-reply state are complete. After a crash they are completed later. */
  isUnsettled: Boolean,
  /** The send that it is a copy of, or a report on. Absent from all other mail. */
  operation: absentOr(String),
  /** The content of a delivery report. Absent from all other mail. */
  report: absentOr(typed<ReportPart>(Object)),
  isAutoForward: Boolean,
  isAutoReply: Boolean,
  scheduledSendAt: nullable(Date),
  scheduledStatus: nullable(typed<ScheduledStatus>(String)),
  /** The latest claims of sends that wrote the schedule, the newest last. Absent before a send wrote it. */
  scheduleClaims: absentOr([scheduleClaimPart]),
  draft: nullable(draftPart),
  /** The sender's address and domain, lower case, for filters by equality. */
  senderAddress: presentText,
  senderDomain: presentText,
  folded: foldedPart,
  /** Search words: "h:" for those in the subject and people, "t:" for those in the text alone (see words.ts). */
  words: [String],
  /** The list item's JSON without its mutable parts (see list-projection.ts). */
  rendered: presentText,
  ...outboxFields,
  providerChanges: typed<ProviderChanges>(Object),
  /** The start of the wait for the provider. Absent when no change is pending. */
  providerChangesSince: absentOr(Date),
  /** Since when the email waits for its classification. Absent from emails that need none or have it. */
  awaitsClassificationSince: absentOr(Date),
  /** Until it is classified. */
  classification: absentOr(typed<ClassificationPart>(Object)),
  /** When the rules were applied and their labels added, which happens once. */
  classifiedAt: absentOr(Date),
  /** The labels that rules put on it, the newest last. Written with the label itself. */
  labelEffects: absentOr([labelEffectPart]),
  /** Of its labels, those that a rule put on and that nobody has taken off since. */
  ruleLabelIds: absentOr([String]),
  undoneEffects: absentOr([undonePart]),
  /** The last bulk calls that changed this email, so that each of them can tell which changes were its own. */
  recentChanges: absentOr([String]),
  receivedAt: required(Date),
});

/** The event of a removed email. It outlives the email and has the email's id. */
export interface RemovedEmailDocument extends TypeOf<typeof removedEmailSchema> {}
export const removedEmailSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  expiresAt: required(Date),
  ...outboxFields,
});

/** A cache, evictable: lists and search never touch it. Its id is the email's. */
export interface BodyDocument extends TypeOf<typeof bodySchema> {}
export const bodySchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  html: nullable(String),
  text: nullable(String),
  createdAt: required(Date),
  /** Of a draft that a mail program has saved: `bodyVersion` of its email. Another one is of another version. */
  version: absentOr(String),
  /** Since when the body can be evicted. Absent from mail that no provider could return. */
  evictableSince: absentOr(Date),
});

/** The bytes of an email that was created here, until its provider has it. Its id is that of the pending `append`. */
export interface PendingCopyDocument extends TypeOf<typeof pendingCopySchema> {}
export const pendingCopySchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  /** The first piece, when the bytes exceed one document. The other pieces have this id with their number. */
  raw: required(Buffer),
  pieces: absentOr(Number),
  createdAt: required(Date),
  expiresAt: required(Date),
});

/**
 * A piece of a message with attachments. Its mailbox has no provider that could return the message again, so the pieces
 * are kept as long as a rule may forward it.
 */
export interface OriginalPieceDocument extends TypeOf<typeof originalPieceSchema> {}
export const originalPieceSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  emailId: required(String),
  position: required(Number),
  /** The number of pieces of the message. */
  pieces: required(Number),
  bytes: required(Buffer),
  createdAt: required(Date),
  expiresAt: required(Date),
});

/** A message that could not be parsed or stored. It is kept whole, with the cause. */
export interface QuarantinedMessageDocument extends TypeOf<typeof quarantinedMessageSchema> {}
export const quarantinedMessageSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  sourceKey: required(String),
  cause: required(String),
  size: required(Number),
  attempts: required(Number),
  folderType: required(typed<StoredFolderType>(String)),
  providerThreadId: nullable(String),
  providerLabels: [String],
  isRead: Boolean,
  isStarred: Boolean,
  isHistory: Boolean,
  receivedAt: nullable(Date),
  providerId: presentText,
  place: absentOr(typed<LocationPart>(Object)),
  folderId: nullable(String),
  createdAt: required(Date),
  /** Absent from messages that an earlier version quarantined. */
  expiresAt: absentOr(Date),
});

/** The bytes of a quarantined message, in pieces below the database's limit for one document. */
export interface QuarantinedPieceDocument extends TypeOf<typeof quarantinedPieceSchema> {}
export const quarantinedPieceSchema = schema({
  workspaceId: required(String),
  setAsideId: required(String),
  position: required(Number),
  bytes: required(Buffer),
  /** Later than the expiry of its message, because a message is listed only while it is complete. */
  expiresAt: absentOr(Date),
});

/** The thread of a message, by its Message-ID. Mail in Spam has a name instead that no other message can refer to. */
export interface ThreadLinkDocument extends TypeOf<typeof threadLinkSchema> {}
export const threadLinkSchema = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  messageId: required(String),
  threadId: required(String),
  /** The ids that it answers, the nearest first, up to the first stored one at its arrival. Absent from older links. */
  answers: absentOr([String]),
});
