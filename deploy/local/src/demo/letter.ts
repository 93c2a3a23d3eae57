import type { AddressPart, AttachmentPart } from '@postroom/mail-store/documents/email';
import type { FolderType } from '@postroom/contract/lists';

export type Topic = 'work' | 'team' | 'support' | 'newsletter' | 'bill' | 'alert' | 'spam' | 'draft';

export type Charset = 'utf-8' | 'iso-8859-1' | 'windows-1251';

/** An email of the demo before it is put into MIME; benches that skip the parsing take it as it is. */
export interface DemoLetter {
  /** The index of its mailbox in DEMO_MAILBOXES. */
  mailbox: number;
  folderType: FolderType;
  topic: Topic;
  sourceKey: string;
  /** The same for every letter of one conversation. */
  threadKey: string;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: AddressPart;
  to: AddressPart[];
  cc: AddressPart[];
  subject: string;
  date: Date;
  text: string;
  /** Null for plain text alone. */
  html: string | null;
  attachments: AttachmentPart[];
  charset: Charset;
  /** Further header lines, such as List-Unsubscribe. */
  headers: Readonly<Record<string, string>>;
  isRead: boolean;
  isStarred: boolean;
}
