import type { MailboxStatus, StoredFolderType } from '@postroom/contract/lists';
import { outboxFields } from './outbox.ts';
import { type TypeOf, nullable, absentOr, part, required, schema, typed } from '../schemas/schema.ts';

export interface FolderPart extends TypeOf<typeof folderPart> {}
const folderPart = part({
  id: required(String),
  name: required(String),
  type: required(typed<StoredFolderType>(String)),
  /** Its path at the provider. It is empty while unknown, and for folders that exist only here. */
  path: absentOr(String),
  /** The separator in paths of this provider. It is empty when its folders have no levels. */
  delimiter: absentOr(String),
});

/** The sealed credentials of a mailbox (see libs/secrets). */
export interface EnvelopePart extends TypeOf<typeof envelopePart> {}
export const envelopePart = part({
  /** The key that wraps the data key; the name of its file. */
  keyId: String,
  wrappedKey: String,
  sealed: String,
});

/**
 * A consent that a person gives at the provider of a mailbox, until the mailbox is connected with it. Its id is the hash of the
 * state that the browser carries there and back.
 */
export interface MailboxConsentDocument extends TypeOf<typeof mailboxConsentSchema> {}
export const mailboxConsentSchema = schema({
  workspaceId: required(String),
  /** The session in the app that began it. No other session can finish it. */
  sessionId: required(String),
  /** The name of the provider, as the presets have it. */
  provider: required(String),
  /** The address that the provider returns the browser to. */
  redirectUri: required(String),
  nonce: required(String),
  /** Null once the answer of the provider was taken: each answer counts once. */
  codeVerifier: nullable(String),
  /** The mailbox to connect, which exists already when it is connected again. */
  mailboxId: required(String),
  isReconnect: required(Boolean),
  /** The address of the account, and its sealed tokens. Null until the provider has given them. */
  email: nullable(String),
  credentials: nullable(envelopePart),
  expiresAt: required(Date),
});

/** Never leaves the services: the API shows neither a host nor a credential. */
export interface MailServerPart extends TypeOf<typeof mailServerPart> {}
const mailServerPart = part({
  imapAddress: String,
  smtpAddress: String,
  user: String,
  /** In the clear, as an older version stored it, until the workspace service has sealed it. */
  password: absentOr(String),
  /** PEM of the authority behind the servers' certificates; empty for the public ones. */
  ca: absentOr(String),
});

/** The results of the attempts to sync a mailbox with its provider. */
export interface SyncPart extends TypeOf<typeof syncPart> {}
const syncPart = part({
  /** The newest holder's that has reported: an older one changes nothing more. */
  epoch: Number,
  /** Counts the reports: two at once are taken one after the other. */
  revision: Number,
  /** Failed attempts since the last that went well, and since when. */
  failCount: Number,
  failingSince: nullable(Date),
  /** The failures in which the login was refused. */
  refusals: Number,
  refusedSince: nullable(Date),
  lastError: nullable(String),
  lastFailedAt: nullable(Date),
});

/** A connected email account, with its servers and sealed password; or a mailbox without a provider. */
export interface MailboxDocument extends TypeOf<typeof mailboxSchema> {}
export const mailboxSchema = schema({
  workspaceId: required(String),
  email: required(String),
  /** The address folded for look-ups by recipient. */
  emailKey: required(String),
  /** The folded address and aliases. Mail to one of them reaches this mailbox. */
  recipientKeys: [String],
  name: nullable(String),
  provider: required(typed<'imap' | 'development'>(String)),
  status: required(typed<MailboxStatus>(String)),
  aliases: [
    part({
      email: required(String),
      name: nullable(String),
      verified: Boolean,
    }),
  ],
  folders: [folderPart],
  server: nullable(mailServerPart),
  credentials: nullable(envelopePart),
  /** The lock for the next access token. With refresh tokens that work once, two renewals at a time would break each other. */
  tokenLock: absentOr(
    part({
      /** The number of changes of the credentials. Data that was read under another number is stale. */
      epoch: Number,
      /** Null with a time means that nobody may renew until then. */
      holder: nullable(String),
      until: nullable(Date),
    }),
  ),
  lastSyncedAt: nullable(Date),
  sync: absentOr(syncPart),
  ...outboxFields,
  outbox: absentOr(outboxFields.outbox),
  createdAt: required(Date),
});
