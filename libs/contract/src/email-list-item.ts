/** An item of a page of emails as JSON: the data layer writes it, the gateway describes it, and both are held to this. */
export interface EmailListItem {
  id: string;
  mailboxId: string;
  folderId: string;
  threadId: string | null;
  messageId: string;
  inReplyTo: string | null;
  references: string[];
  from: AddressJson;
  to: AddressJson[];
  cc: AddressJson[];
  subject: string;
  snippet: string;
  date: string;
  isRead: boolean;
  isStarred: boolean;
  isDraft: boolean;
  hasAttachments: boolean;
  attachments: AttachmentJson[];
  tags: LabelRefJson[];
  waitingForReply: boolean;
}

export interface AddressJson {
  email: string;
  name: string | null;
}

interface AttachmentJson {
  filename: string;
  size: number;
  mimeType: string;
}

export interface LabelRefJson {
  id: string;
  name: string;
  color: string;
  isAiLabel: boolean;
}
