import { FOLDER_TYPES, isOneOf, MAILBOX_STATUSES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { replySchema } from './schema-names.ts';

const alias = z.object({ email: z.string(), name: z.string().nullable(), verified: z.boolean() });
const folder = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(FOLDER_TYPES).nullable(),
});

const mailbox = replySchema(
  'Mailbox',
  z.object({
    id: z.string(),
    email: z.string(),
    name: z.string().nullable(),
    provider: z.string(),
    status: z.enum(MAILBOX_STATUSES),
    aliases: z.array(alias),
    folders: z.array(folder),
    lastSyncedAt: dateTime.nullable(),
    createdAt: dateTime,
  }),
);
export const mailboxListReply = replySchema('MailboxListReply', z.object({ items: z.array(mailbox) }));

/** A folder type that is not in the contract becomes null. */
function toJsonFolder({ id, name, type }: proto.Folder): z.input<typeof folder> {
  return { id, name, type: isOneOf(FOLDER_TYPES, type) ? type : null };
}

export function toJsonMailbox(message: proto.Mailbox): z.input<typeof mailbox> {
  return {
    id: message.id,
    email: message.email,
    name: message.name ?? null,
    provider: message.provider,
    status: message.status as z.input<typeof mailbox>['status'],
    aliases: message.aliases.map(({ email, name, verified }) => ({ email, name: name ?? null, verified })),
    folders: message.folders.map(toJsonFolder),
    lastSyncedAt: message.lastSyncedAt ?? null,
    createdAt: message.createdAt,
  };
}
