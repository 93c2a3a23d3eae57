import { bounds } from '@postroom/contract/bounds';
import { WEBHOOK_EVENTS, WEBHOOK_STATUSES } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/webhook_delivery';
import { z } from 'zod';
import { atLeastOne } from './at-least-one.ts';
import { dateTime } from './date-time.ts';
import { replySchema, requestSchema } from './schema-names.ts';
import { boundedText } from './text.ts';

const event = z.enum(WEBHOOK_EVENTS);

const webhook = replySchema(
  'Webhook',
  z.object({
    id: z.string(),
    url: z.string(),
    events: z.array(event).meta({ description: 'The events that are delivered; empty means all of them.' }),
    description: z.string().nullable(),
    status: z.enum(WEBHOOK_STATUSES).meta({
      description: '`disabled` after three days of continuous failure; enabling it delivers what was missed.',
    }),
    failingSince: dateTime.nullable().meta({ description: 'The first failure since the last success.' }),
    disabledAt: dateTime.nullable(),
    createdAt: dateTime,
    updatedAt: dateTime,
  }),
);
const secret = z.string().meta({ description: 'The signing secret. It is shown here and nowhere else.' });

export const webhookReply = replySchema('WebhookReply', z.object({ webhook }));
export const webhookListReply = replySchema('WebhookListReply', z.object({ items: z.array(webhook) }));
export const newWebhookReply = replySchema('NewWebhookReply', z.object({ webhook, secret }));
export const secretReply = replySchema('WebhookSecretReply', z.object({ secret }));

const url = boundedText(bounds.webhookUrl).meta({
  description: 'An `https` URL on port 443 with a public host, without credentials and without a fragment.',
});
const events = z
  .array(event)
  .max(WEBHOOK_EVENTS.length)
  .meta({ description: 'The events to deliver; empty means all of them.' });
const description = boundedText(bounds.webhookDescription).nullable();

export const createWebhookRequest = requestSchema(
  'CreateWebhookRequest',
  z.object({ url, events: events.optional(), description: description.optional() }),
);
export const updateWebhookRequest = requestSchema(
  'UpdateWebhookRequest',
  atLeastOne(
    z.object({
      url: url.optional(),
      events: events.optional(),
      description: description.optional(),
      status: z.enum(['enabled', 'paused']).optional(),
    }),
  ),
);

export function toJsonWebhook(message: proto.Webhook | undefined): z.input<typeof webhook> {
  if (!message) throw new Error('the service answered without the webhook');
  return {
    id: message.id,
    url: message.url,
    events: message.events as z.input<typeof event>[],
    description: message.description ?? null,
    status: message.status as z.input<typeof webhook>['status'],
    failingSince: message.failingSince ?? null,
    disabledAt: message.disabledAt ?? null,
    createdAt: message.createdAt,
    updatedAt: message.updatedAt,
  };
}
