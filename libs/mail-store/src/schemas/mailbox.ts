import type {
  AliasPart,
  EnvelopePart,
  FolderPart,
  MailServerPart,
  MailboxConsentDocument,
  MailboxDocument,
  SyncPart,
  TokenLockPart,
} from '../documents/mailbox.ts';
import { outboxFields } from './outbox.ts';
import { nullable, part, required, schema } from './schema.ts';

const envelopePart = () => part<EnvelopePart>({ keyId: String, wrappedKey: String, sealed: String });

export const mailboxSchema = schema<MailboxDocument>({
  workspaceId: required(String),
  email: required(String),
  emailKey: required(String),
  recipientKeys: [String],
  name: nullable(String),
  provider: required(String),
  status: required(String),
  aliases: [part<AliasPart>({ email: required(String), name: nullable(String), verified: Boolean })],
  folders: [
    part<FolderPart>({
      id: required(String),
      name: required(String),
      type: required(String),
      path: String,
      delimiter: String,
    }),
  ],
  server: nullable(
    part<MailServerPart>({ imapAddress: String, smtpAddress: String, user: String, password: String, ca: String }),
  ),
  credentials: nullable(envelopePart()),
  tokenLock: part<TokenLockPart>({ epoch: Number, holder: nullable(String), until: nullable(Date) }),
  lastSyncedAt: nullable(Date),
  sync: part<SyncPart>({
    epoch: Number,
    revision: Number,
    failCount: Number,
    failingSince: nullable(Date),
    refusals: Number,
    refusedSince: nullable(Date),
    lastError: nullable(String),
    lastFailedAt: nullable(Date),
  }),
  ...outboxFields,
  createdAt: required(Date),
});

export const mailboxConsentSchema = schema<MailboxConsentDocument>({
  workspaceId: required(String),
  sessionId: required(String),
  provider: required(String),
  redirectUri: required(String),
  nonce: required(String),
  codeVerifier: nullable(String),
  mailboxId: required(String),
  isReconnect: required(Boolean),
  email: nullable(String),
  credentials: nullable(envelopePart()),
  expiresAt: required(Date),
});
