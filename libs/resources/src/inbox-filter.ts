import { bounds } from '@postroom/contract/bounds';
import { INBOX_FILTER_TYPES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/resources';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { atLeastOne } from './at-least-one.ts';
import { labelRef, toJsonLabelRef } from './label.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { patterns, boundedText } from './text.ts';

const type = z.enum(INBOX_FILTER_TYPES);

const inboxFilter = replySchema(
  'InboxFilter',
  z.object({
    id: z.string(),
    type,
    value: z.string(),
    label: labelRef.nullable().meta({ description: 'The targeted label when `type` is `label`.' }),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
export const filterReply = replySchema('FilterReply', z.object({ filter: inboxFilter }));
export const filterListReply = replySchema('FilterListReply', z.object({ items: z.array(inboxFilter) }));

const value = boundedText(bounds.inboxFilterValue).meta({
  description: 'An address, a domain, text of a subject, or a label id.',
});

/** A schema that matches filters of this type whose value the service refuses. */
const unfit = (type: string, fit: object) => ({
  required: ['type', 'value'],
  properties: { type: { const: type }, value: { not: fit } },
});
const fitting = {
  not: {
    anyOf: [
      unfit('sender', { format: 'email' }),
      unfit('domain', { pattern: patterns.domain }),
      unfit('subject', { pattern: String.raw`\S` }),
    ],
  },
};

export const createFilterRequest = requestSchema('CreateFilterRequest', z.object({ type, value }).meta(fitting));
export const updateFilterRequest = requestSchema(
  'UpdateFilterRequest',
  atLeastOne(z.object({ type: type.optional(), value: value.optional() }), fitting),
);

export function toJsonInboxFilter(message: proto.InboxFilter): z.input<typeof inboxFilter> {
  return {
    id: message.id,
    type: message.type as z.input<typeof type>,
    value: message.value,
    label: message.label ? toJsonLabelRef(message.label) : null,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}
