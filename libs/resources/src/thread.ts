import { bounds } from '@postroom/contract/bounds';
import type { ThreadJson } from '@postroom/contract/thread';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { emailAddress, emailListItem } from './email.ts';
import { listEmailsQuery } from './email-query.ts';
import { labelRef } from './label.ts';
import { replySchema, saysExactly } from './schema-names.ts';

const thread = replySchema(
  'Thread',
  // The data layer writes these: neither may have a field that the other has not.
  saysExactly<ThreadJson>()(
    z.object({
      id: z.string().meta({ description: 'The `threadId` of its emails.' }),
      mailboxId: z.string(),
      subject: z.string().meta({ description: 'Of its first email.' }),
      participants: z.array(emailAddress).meta({ description: 'Senders first; 20 at most.' }),
      emailCount: z.int().meta({ description: 'In all folders of the mailbox; counts its newest 10,000.' }),
      unreadCount: z.int(),
      hasAttachments: z.boolean(),
      isStarred: z.boolean().meta({ description: 'One of its emails is.' }),
      tags: z.array(labelRef).meta({ description: 'Of all its emails.' }),
      snippet: z.string().meta({ description: 'Of its newest email.' }),
      date: dateTime.meta({ description: 'Of its newest email.' }),
    }),
  ),
);

export const listThreadsQuery = listEmailsQuery.pick({
  mailboxId: true,
  folderType: true,
  viewId: true,
  cursor: true,
  limit: true,
});

export const threadPage = replySchema(
  'ThreadPage',
  z.object({
    items: z.array(thread).meta({ description: 'May be fewer than asked for while `hasMore` is true.' }),
    nextCursor: z.string().nullable(),
    hasMore: z.boolean(),
  }),
);
export const threadReply = replySchema(
  'ThreadReply',
  z.object({
    thread,
    emails: z.array(emailListItem).meta({ description: `Oldest first; the newest ${bounds.threadEmails} at most.` }),
  }),
);
