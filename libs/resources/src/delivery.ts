import { DELIVERY_STATUSES, WEBHOOK_EVENTS } from '@postroom/contract/lists';
import type * as proto from '@postroom/proto/postroom/v1/webhook_delivery';
import { z } from 'zod';
import { dateTime } from './date-time.ts';
import { cursor, limit } from './paging.ts';
import { replySchema, requestSchema } from './schema-names.ts';

const attempt = replySchema(
  'DeliveryAttempt',
  z.object({
    at: dateTime,
    status: z.int().nullable().meta({ description: 'The status of the answer; null where there was none.' }),
    durationMs: z.int(),
    error: z.string().nullable().meta({ description: 'Why the attempt failed.' }),
  }),
);

const delivery = replySchema(
  'Delivery',
  z.object({
    id: z.string(),
    changeId: z.string().meta({ description: 'The id of the change, which the header `webhook-id` repeats.' }),
    event: z.enum(WEBHOOK_EVENTS),
    status: z.enum(DELIVERY_STATUSES),
    attempts: z.array(attempt),
    nextAttemptAt: dateTime.nullable(),
    createdAt: dateTime,
  }),
);
export const deliveryReply = replySchema('DeliveryReply', z.object({ delivery }));
export const deliveryPage = replySchema(
  'DeliveryPage',
  z.object({ items: z.array(delivery), nextCursor: z.string().nullable(), hasMore: z.boolean() }),
);

export const listDeliveriesQuery = z.object({ status: z.enum(DELIVERY_STATUSES).optional(), cursor, limit });

export const recoverRequest = requestSchema(
  'RecoverDeliveriesRequest',
  z.object({ since: z.iso.datetime({ offset: true, error: 'must be a date-time such as 2026-03-01T12:00:00Z' }) }),
);
export const recoverReply = replySchema(
  'RecoverDeliveriesReply',
  z.object({ deliveries: z.int().meta({ description: 'How many deliveries are made.' }) }),
);

export function toJsonDelivery(message: proto.Delivery): z.input<typeof delivery> {
  return {
    id: message.id,
    changeId: message.changeId,
    event: message.event as z.input<typeof delivery>['event'],
    status: message.status as z.input<typeof delivery>['status'],
    attempts: message.attempts.map(({ at, status, durationMs, error }) => {
      return { at, status: status ?? null, durationMs, error: error ?? null };
    }),
    nextAttemptAt: message.nextAttemptAt ?? null,
    createdAt: message.createdAt,
  };
}
