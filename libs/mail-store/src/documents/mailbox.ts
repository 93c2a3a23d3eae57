import type { MailboxStatus, StoredFolderType } from '@postroom/contract/lists';
import type { HasOutbox } from './outbox.ts';

export interface FolderPart {
  id: string;
  name: string;
  type: StoredFolderType;
  /** Its path at the provider. It is empty while unknown, and for folders that exist only here. */
  path?: string;
  /** The separator in paths of this provider. It is empty when its folders have no levels. */
  delimiter?: string;
}

export interface AliasPart {
  email: string;
  name: string | null;
  verified: boolean;
}

/** The sealed credentials of a mailbox (see libs/secrets). */
export interface EnvelopePart {
  /** The key that wraps the data key; the name of its file. */
  keyId: string;
  wrappedKey: string;
  sealed: string;
}

/**
 * A consent that a person gives at the provider of a mailbox, until the mailbox is connected with it. Its id is the hash of the
 * state that the browser carries there and back.
 */
export interface MailboxConsentDocument {
  _id: string;
  workspaceId: string;
  /** The session in the app that began it. No other session can finish it. */
  sessionId: string;
  /** The name of the provider, as the presets have it. */
  provider: string;
  /** The address that the provider returns the browser to. */
  redirectUri: string;
  nonce: string;
  /** Null once the answer of the provider was taken: each answer counts once. */
  codeVerifier: string | null;
  /** The mailbox to connect, which exists already when it is connected again. */
  mailboxId: string;
  isReconnect: boolean;
  /** The address of the account, and its sealed tokens. Null until the provider has given them. */
  email: string | null;
  credentials: EnvelopePart | null;
  expiresAt: Date;
}

/** Never leaves the services: the API shows neither a host nor a credential. */
export interface MailServerPart {
  imapAddress: string;
  smtpAddress: string;
  user: string;
  /** In the clear, as an older version stored it, until the workspace service has sealed it. */
  password?: string;
  /** PEM of the authority behind the servers' certificates; empty for the public ones. */
  ca?: string;
}

/** The lock for the next access token. With refresh tokens that work once, two renewals at a time would break each other. */
export interface TokenLockPart {
  /** The number of changes of the credentials. Data that was read under another number is stale. */
  epoch: number;
  /** Null with a time means that nobody may renew until then. */
  holder: string | null;
  until: Date | null;
}

/** The results of the attempts to sync a mailbox with its provider. */
export interface SyncPart {
  /** The newest holder's that has reported: an older one changes nothing more. */
  epoch: number;
  /** Counts the reports: two at once are taken one after the other. */
  revision: number;
  /** Failed attempts since the last that went well, and since when. */
  failCount: number;
  failingSince: Date | null;
  /** The failures in which the login was refused. */
  refusals: number;
  refusedSince: Date | null;
  lastError: string | null;
  lastFailedAt: Date | null;
}

/** A connected email account, with its servers and sealed password; or a mailbox without a provider. */
export interface MailboxDocument extends Partial<HasOutbox> {
  _id: string;
  workspaceId: string;
  email: string;
  /** The address folded for look-ups by recipient. */
  emailKey: string;
  /** The folded address and aliases. Mail to one of them reaches this mailbox. */
  recipientKeys: string[];
  name: string | null;
  provider: 'imap' | 'development';
  status: MailboxStatus;
  aliases: AliasPart[];
  folders: FolderPart[];
  server: MailServerPart | null;
  credentials: EnvelopePart | null;
  tokenLock?: TokenLockPart;
  lastSyncedAt: Date | null;
  sync?: SyncPart;
  createdAt: Date;
}
