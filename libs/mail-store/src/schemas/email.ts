import type {
  AddressPart,
  AttachmentPart,
  BodyDocument,
  DraftPart,
  EmailDocument,
  FoldedPart,
  OriginalPieceDocument,
  PendingCopyDocument,
  RemovedEmailDocument,
  ScheduledByPart,
  QuarantinedMessageDocument,
  QuarantinedPieceDocument,
  ThreadLinkDocument,
} from '../documents/email.ts';
import type { LabelEffectPart, UndonePart } from '../documents/effect.ts';
import { outboxFields } from './outbox.ts';
import { nullable, part, required, schema, presentText } from './schema.ts';

const address = part<AddressPart>({ email: presentText, name: nullable(String) });
const attachment = part<AttachmentPart>({ filename: presentText, size: Number, mimeType: presentText });

const labelEffect = part<LabelEffectPart>({
  id: required(String),
  labelId: required(String),
  ruleId: required(String),
  ruleUpdatedAt: Date,
  model: presentText,
  confidence: required(Number),
  reason: presentText,
  isBackfill: Boolean,
  at: required(Date),
});
const undone = part<UndonePart>({ effectId: required(String), by: required(String), at: required(Date) });

export const emailSchema = schema<EmailDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  folderId: required(String),
  folderType: required(String),
  sourceKey: required(String),
  messageKey: required(String),
  identity: presentText,
  place: Object,
  gone: Object,
  confirmed: Object,
  threadId: nullable(String),
  threadKey: presentText,
  messageId: presentText,
  inReplyTo: nullable(String),
  references: [String],
  from: address,
  to: [address],
  cc: [address],
  bcc: [address],
  mailboxIn: String,
  writtenTo: { type: [String], default: undefined },
  subject: presentText,
  snippet: presentText,
  date: required(Date),
  isRead: Boolean,
  isStarred: Boolean,
  isDraft: Boolean,
  hasAttachments: Boolean,
  attachments: [attachment],
  labelIds: [String],
  providerLabels: [String],
  waitingForReply: Boolean,
  isAutomatic: Boolean,
  listId: String,
  replyTo: nullable(String),
  failsDmarc: Boolean,
  authentication: Object,
  isUnsettled: Boolean,
  operation: String,
  report: Object,
  isAutoForward: Boolean,
  isAutoReply: Boolean,
  scheduledSendAt: nullable(Date),
  scheduledStatus: nullable(String),
  scheduledBy: part<ScheduledByPart>({ sendId: required(String), epoch: required(Number) }),
  draft: nullable(
    part<DraftPart>({
      source: String,
      ruleId: nullable(String),
      signature: nullable(String),
      createdAt: Date,
      updatedAt: Date,
    }),
  ),
  senderAddress: presentText,
  senderDomain: presentText,
  folded: part<FoldedPart>({
    from: presentText,
    to: presentText,
    cc: presentText,
    subject: presentText,
    text: presentText,
  }),
  words: [String],
  rendered: presentText,
  ...outboxFields,
  providerChanges: Object,
  providerChangesSince: Date,
  awaitsClassificationSince: Date,
  classification: Object,
  classifiedAt: Date,
  labelEffects: { type: [labelEffect], default: undefined },
  ruleLabelIds: { type: [String], default: undefined },
  undoneEffects: { type: [undone], default: undefined },
  recentChanges: { type: [String], default: undefined },
  receivedAt: required(Date),
});

export const bodySchema = schema<BodyDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  html: nullable(String),
  text: nullable(String),
  createdAt: required(Date),
  evictableSince: Date,
});

export const removedEmailSchema = schema<RemovedEmailDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  expiresAt: required(Date),
  ...outboxFields,
});

export const pendingCopySchema = schema<PendingCopyDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  raw: required(Buffer),
  pieces: Number,
  createdAt: required(Date),
  expiresAt: required(Date),
});

export const originalPieceSchema = schema<OriginalPieceDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  emailId: required(String),
  position: required(Number),
  pieces: required(Number),
  bytes: required(Buffer),
  createdAt: required(Date),
  expiresAt: required(Date),
});

export const quarantinedMessageSchema = schema<QuarantinedMessageDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  sourceKey: required(String),
  cause: required(String),
  size: required(Number),
  attempts: required(Number),
  folderType: required(String),
  providerThreadId: nullable(String),
  providerLabels: [String],
  isRead: Boolean,
  isStarred: Boolean,
  isHistory: Boolean,
  receivedAt: nullable(Date),
  providerId: presentText,
  place: Object,
  folderId: nullable(String),
  createdAt: required(Date),
  expiresAt: Date,
});

export const quarantinedPieceSchema = schema<QuarantinedPieceDocument>({
  workspaceId: required(String),
  setAsideId: required(String),
  position: required(Number),
  bytes: required(Buffer),
  expiresAt: Date,
});

export const threadLinkSchema = schema<ThreadLinkDocument>({
  workspaceId: required(String),
  mailboxId: required(String),
  messageId: required(String),
  threadId: required(String),
  answers: { type: [String], default: undefined },
});
