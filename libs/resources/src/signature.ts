import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { replySchema } from './schema-names.ts';

const signature = replySchema(
  'Signature',
  z.object({
    id: z.string(),
    name: z.string(),
    isDefault: z.boolean(),
    position: z.int(),
    aliasEmail: z.string().nullable(),
    mailboxId: z.string().nullable(),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
export const signatureListReply = replySchema('SignatureListReply', z.object({ items: z.array(signature) }));

export function toJsonSignature(message: proto.Signature): z.input<typeof signature> {
  const { id, name, isDefault, position, aliasEmail, mailboxId, createdAt, updatedAt } = message;
  return {
    id,
    name,
    isDefault,
    position,
    aliasEmail: aliasEmail ?? null,
    mailboxId: mailboxId ?? null,
    createdAt,
    updatedAt,
  };
}
