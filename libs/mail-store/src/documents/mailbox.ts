import type { FolderType, MailboxStatus } from '@postroom/contract/lists';

export interface FolderPart {
  id: string;
  name: string;
  type: FolderType;
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
}

export interface MailboxDocument {
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
  lastSyncedAt: Date | null;
  createdAt: Date;
}
