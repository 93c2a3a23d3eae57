import type { AddressJson, LabelRefJson } from './email-list-item.ts';

/** A thread as JSON: the data layer writes it, the gateway describes it, and both are held to this. */
export interface ThreadJson {
  id: string;
  mailboxId: string;
  subject: string;
  participants: AddressJson[];
  emailCount: number;
  unreadCount: number;
  hasAttachments: boolean;
  isStarred: boolean;
  tags: LabelRefJson[];
  snippet: string;
  date: string;
}
