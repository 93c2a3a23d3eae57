import { DRAFT_SOURCES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { bodyParts, email, toBodyParts, toJsonEmail } from './email.ts';
import { limit } from './paging.ts';
import { replySchema } from './schema-names.ts';

const draft = replySchema(
  'Draft',
  z.object({
    ...email.shape,
    body: bodyParts,
    signature: z.string().nullable().meta({ description: 'The id of the signature in force.' }),
    source: z.enum(DRAFT_SOURCES),
    ruleId: z.string().nullable(),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
export const draftReply = replySchema('DraftReply', z.object({ draft }));
export const draftListReply = replySchema('DraftListReply', z.object({ items: z.array(draft) }));
export const listDraftsQuery = z.object({ limit });

export function toJsonDraft(message: proto.Draft): z.input<typeof draft> {
  if (!message.email) throw new Error('a draft came without its email');
  return {
    ...toJsonEmail(message.email),
    body: toBodyParts(message.body),
    signature: message.signature ?? null,
    source: message.source as z.input<typeof draft>['source'],
    ruleId: message.ruleId ?? null,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}
