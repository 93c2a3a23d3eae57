import type { MailboxStatus, StoredFolderType } from '@postroom/contract/lists';
import type { OwesEvents } from './outbox.ts';

export interface FolderPart {
  id: string;
  name: string;
  type: StoredFolderType;
  /** What the provider calls it; empty while that is not known, and where the folder is kept here alone. */
  path?: string;
  /** What stands between the names in a path of this provider; empty where its folders have no levels. */
  delimiter?: string;
}

export interface AliasPart {
  email: string;
  name: string | null;
  verified: boolean;
}

/** What a mailbox is logged in with, sealed: see libs/secrets. */
export interface EnvelopePart {
  /** The key that wraps the data key; the name of its file. */
  keyId: string;
  wrappedKey: string;
  sealed: string;
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

/** Who gets the next access token of a mailbox: with refresh tokens that are good once, two at a time would undo each other. */
export interface TokenLockPart {
  /** How often the credentials have changed: what was read under another is old. */
  epoch: number;
  /** Null with a time: nobody may, for so long. */
  holder: string | null;
  until: Date | null;
}

/** What came of the attempts to keep a mailbox in step with its provider. */
export interface SyncPart {
  /** The newest holder's that has reported: an older one changes nothing more. */
  epoch: number;
  /** Counts the reports: two at once are taken one after the other. */
  revision: number;
  /** Failed attempts since the last that went well, and since when. */
  failCount: number;
  failingSince: Date | null;
  /** Those of them in which the login was refused. */
  refusals: number;
  refusedSince: Date | null;
  lastError: string | null;
  lastFailedAt: Date | null;
}

export interface MailboxDocument extends Partial<OwesEvents> {
  _id: string;
  workspaceId: string;
  email: string;
  /** The address folded for look-ups by recipient. */
  emailKey: string;
  /** The address and the aliases, folded: whoever writes to one of them reaches this mailbox. */
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
