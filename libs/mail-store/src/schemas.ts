import { Schema, type SchemaDefinition } from 'mongoose';

// Strict both ways: a field or a query that the shape does not know is an error, never silently dropped.
const options = {
  strict: 'throw',
  strictQuery: 'throw',
  autoIndex: false,
  autoCreate: false,
  versionKey: false,
  minimize: false,
  id: false,
} as const;

const part = (definition: SchemaDefinition) => new Schema(definition, { ...options, _id: false });
export const schema = (definition: SchemaDefinition) => new Schema({ _id: String, ...definition }, options);

const required = <T>(type: T) => ({ type, required: true });
/** Present with an empty value too: mongoose's own `required` refuses "". */
const text = { type: String, default: '' };
const nullable = <T>(type: T) => ({ type, default: null });

const address = part({ email: text, name: nullable(String) });
const attachment = part({ filename: text, size: Number, mimeType: text });

const workspace = schema({
  name: required(String),
  plan: required(String),
  planUntil: nullable(Date),
  suspendedAt: nullable(Date),
  createdAt: required(Date),
});

const apiKey = schema({
  workspaceId: required(String),
  name: required(String),
  secretHash: required(String),
  scopes: [String],
  allowOutboundSend: required(Boolean),
  expiresAt: nullable(Date),
  revokedAt: nullable(Date),
  slot: required(String),
  createdAt: required(Date),
});

const mailbox = schema({
  workspaceId: required(String),
  email: required(String),
  emailKey: required(String),
  recipientKeys: [String],
  name: nullable(String),
  provider: required(String),
  status: required(String),
  aliases: [part({ email: required(String), name: nullable(String), verified: Boolean })],
  folders: [part({ id: required(String), name: required(String), type: required(String) })],
  server: nullable(part({ imapAddress: String, smtpAddress: String, user: String, password: String })),
  lastSyncedAt: nullable(Date),
  createdAt: required(Date),
});

const signature = schema({
  workspaceId: required(String),
  name: required(String),
  html: text,
  isDefault: required(Boolean),
  position: required(Number),
  aliasEmail: nullable(String),
  mailboxId: nullable(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});

const owedEvent = part({ id: required(String), type: required(String), occurredAt: required(Date), data: Object });
const owedProviderChange = part({
  id: required(String),
  kind: required(String),
  isRead: nullable(Boolean),
  isStarred: nullable(Boolean),
  folderId: nullable(String),
});

const email = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  folderId: required(String),
  folderType: required(String),
  sourceKey: required(String),
  messageKey: required(String),
  threadId: nullable(String),
  messageId: text,
  inReplyTo: nullable(String),
  references: [String],
  from: address,
  to: [address],
  cc: [address],
  bcc: [address],
  subject: text,
  snippet: text,
  date: required(Date),
  isRead: Boolean,
  isStarred: Boolean,
  isDraft: Boolean,
  hasAttachments: Boolean,
  attachments: [attachment],
  labelIds: [String],
  providerLabels: [String],
  waitingForReply: Boolean,
  isAutoForward: Boolean,
  isAutoReply: Boolean,
  scheduledSendAt: nullable(Date),
  scheduledStatus: nullable(String),
  draft: nullable(
    part({ source: String, ruleId: nullable(String), signature: nullable(String), createdAt: Date, updatedAt: Date }),
  ),
  senderAddress: text,
  senderDomain: text,
  folded: part({ from: text, to: text, cc: text, subject: text, text }),
  words: [String],
  rendered: text,
  owed: [owedEvent],
  hasOwed: Boolean,
  owedToProvider: [owedProviderChange],
  recentChanges: { type: [String], default: undefined },
  receivedAt: required(Date),
});

const body = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  html: nullable(String),
  text: nullable(String),
  createdAt: required(Date),
});

const setAside = schema({
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
  createdAt: required(Date),
});

const setAsidePiece = schema({
  workspaceId: required(String),
  setAsideId: required(String),
  position: required(Number),
  bytes: required(Buffer),
});

const threadLink = schema({
  workspaceId: required(String),
  mailboxId: required(String),
  messageId: required(String),
  threadId: required(String),
});

const label = schema({
  workspaceId: required(String),
  name: required(String),
  nameKey: required(String),
  color: required(String),
  isAiLabel: required(Boolean),
  createdAt: required(Date),
  deletedAt: nullable(Date),
});

const aiLabelRule = schema({
  workspaceId: required(String),
  labelId: required(String),
  condition: required(String),
  autoDraftEnabled: Boolean,
  autoReplyEnabled: Boolean,
  autoReplyConfidenceThreshold: Number,
  autoReplyDelayMinutes: Number,
  autoReplyNotifyOnSend: Boolean,
  hideFromInbox: Boolean,
  createdAt: required(Date),
  updatedAt: required(Date),
});

const autoForwardRule = schema({
  workspaceId: required(String),
  conditionField: required(String),
  conditionValue: required(String),
  forwardTo: required(String),
  mode: required(String),
  isActive: Boolean,
  createdAt: required(Date),
  updatedAt: required(Date),
});

const autoForwardLog = schema({
  workspaceId: required(String),
  ruleId: required(String),
  emailId: required(String),
  forwardTo: required(String),
  mode: required(String),
  status: required(String),
  reason: nullable(String),
  attempts: required(Number),
  createdAt: required(Date),
});

const view = schema({
  workspaceId: required(String),
  name: required(String),
  icon: nullable(String),
  filters: required(String),
  mailboxIds: [String],
  createdAt: required(Date),
});

const inboxFilter = schema({
  workspaceId: required(String),
  type: required(String),
  value: required(String),
  valueKey: required(String),
  createdAt: required(Date),
  updatedAt: required(Date),
});

const idempotency = schema({
  workspaceId: required(String),
  fingerprint: required(String),
  attemptId: required(String),
  leaseUntil: required(Date),
  answer: nullable(part({ status: Number, body: text, cost: Number })),
  expiresAt: required(Date),
});

const schemaVersion = schema({ version: required(Number), migratedAt: required(Date) });

export const schemas = {
  workspace,
  apiKey,
  mailbox,
  signature,
  email,
  body,
  setAside,
  setAsidePiece,
  threadLink,
  label,
  aiLabelRule,
  autoForwardRule,
  autoForwardLog,
  view,
  inboxFilter,
  idempotency,
  schemaVersion,
};
