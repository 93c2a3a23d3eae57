import { ApiError } from '@postroom/errors/api-error';
import type { Delivery, Webhook } from '@postroom/proto/postroom/v1/webhook_delivery';
import { type Command, type CommandResult, defineCommand } from '../command/command.ts';
import { CommandRefusal } from '../command/command-deps.ts';
import { moment, optional, textOption, UsageError, wholeNumber } from '../command/option.ts';

const workspaceId = textOption('--workspace <id>', 'the workspace');
const webhookId = textOption('--webhook <id>', 'the webhook');
const MOST_DELIVERIES = 200;

const list = defineCommand({
  path: ['webhook', 'list'],
  summary: 'Shows the webhooks of a workspace, or the newest deliveries of one of them',
  options: {
    workspaceId,
    webhookId: optional('--webhook <id>', 'the deliveries of this one'),
    limit: wholeNumber('--limit <count>', `how many deliveries, ${MOST_DELIVERIES} at most`, 50),
  },
  run: async ({ workspaceId: whose, webhookId: named, limit }, deps) => {
    if (limit > MOST_DELIVERIES) throw new UsageError(`--limit takes ${MOST_DELIVERIES} at most`);
    if (named === undefined)
      return webhooks((await deps.webhookDelivery().listWebhooks({}, { workspaceId: whose })).items);
    const asked = { webhookId: named, limit, cursor: undefined, status: undefined };
    return deliveries((await hinted(deps.webhookDelivery().listDeliveries(asked, { workspaceId: whose }))).items);
  },
});

const pause = defineCommand({
  path: ['webhook', 'pause'],
  summary: 'Delivers nothing to a webhook until it is enabled',
  options: { workspaceId, webhookId },
  run: async ({ workspaceId: whose, webhookId: id }, deps) => {
    const webhook = await hinted(deps.webhookDelivery().updateWebhook(statusOf(id, 'paused'), { workspaceId: whose }));
    return { json: toJson(webhook), lines: [`Webhook ${webhook.id} is paused.`] };
  },
});

const enable = defineCommand({
  path: ['webhook', 'enable'],
  summary: 'Enables a paused or disabled webhook, which then gets what it missed',
  options: { workspaceId, webhookId },
  run: async ({ workspaceId: whose, webhookId: id }, deps) => {
    const webhook = await hinted(deps.webhookDelivery().updateWebhook(statusOf(id, 'enabled'), { workspaceId: whose }));
    return { json: toJson(webhook), lines: [`Webhook ${webhook.id} is enabled and gets what it missed.`] };
  },
});

const replay = defineCommand({
  path: ['webhook', 'replay'],
  summary: 'Delivers one delivery once more, or everything since a moment that was not delivered',
  options: {
    workspaceId,
    webhookId,
    deliveryId: optional('--delivery <id>', 'the delivery; "postroom webhook list --webhook ID" shows them'),
    since: moment('--since <moment>', 'everything since then that was not delivered'),
  },
  run: async ({ workspaceId: whose, webhookId: id, deliveryId, since }, deps) => {
    if (deliveryId !== undefined && since === undefined) {
      const delivery = await hinted(
        deps.webhookDelivery().replayDelivery({ webhookId: id, deliveryId }, { workspaceId: whose }),
      );
      return { json: toJsonDelivery(delivery), lines: [`One attempt of ${delivery.id} is made now.`] };
    }
    if (since === undefined || deliveryId !== undefined)
      throw new UsageError('say what to deliver: add either --delivery ID or --since MOMENT');
    const planned = await hinted(
      deps.webhookDelivery().recoverDeliveries({ webhookId: id, since }, { workspaceId: whose }),
    );
    return { json: { deliveries: planned.deliveries }, lines: [`${planned.deliveries} deliveries are planned.`] };
  },
});

export const webhookCommands: readonly Command[] = [list, pause, enable, replay];

const HINTS: Partial<Record<ApiError['code'], string>> = {
  WEBHOOK_NOT_FOUND: 'the workspace has no such webhook; "postroom webhook list --workspace ID" shows them',
  DELIVERY_NOT_FOUND:
    'the webhook has no such delivery; "postroom webhook list --workspace ID --webhook ID" shows them',
};

async function hinted<T>(call: Promise<T>): Promise<T> {
  return call.catch((error: unknown) => {
    const hint = error instanceof ApiError ? HINTS[error.code] : undefined;
    throw hint ? new CommandRefusal(hint) : error;
  });
}

function statusOf(id: string, status: 'enabled' | 'paused') {
  return { webhookId: id, status, url: undefined, events: undefined, description: undefined, clearDescription: false };
}

function webhooks(items: readonly Webhook[]): CommandResult {
  return {
    json: { items: items.map(toJson) },
    table: {
      head: ['id', 'url', 'events', 'status', 'failing since', 'disabled', 'created'],
      rows: items.map((webhook) => [
        webhook.id,
        webhook.url,
        webhook.events.join(', ') || 'all',
        webhook.status,
        webhook.failingSince ?? '-',
        webhook.disabledAt ?? '-',
        webhook.createdAt,
      ]),
    },
  };
}

function deliveries(items: readonly Delivery[]): CommandResult {
  return {
    json: { items: items.map(toJsonDelivery) },
    table: {
      head: ['id', 'event', 'status', 'attempts', 'last answer', 'next attempt', 'created'],
      rows: items.map(({ id, event, status, attempts, nextAttemptAt, createdAt }) => {
        const last = attempts.at(-1);
        const answer = last?.error ?? String(last?.status ?? '-');
        return [id, event, status, String(attempts.length), answer, nextAttemptAt ?? '-', createdAt];
      }),
    },
  };
}

function toJson(webhook: Webhook) {
  const { description = null, failingSince = null, disabledAt = null } = webhook;
  return { ...webhook, description, failingSince, disabledAt };
}

function toJsonDelivery(delivery: Delivery) {
  const attempts = delivery.attempts.map(({ status = null, error = null, ...attempt }) => {
    return { ...attempt, status, error };
  });
  return { ...delivery, attempts, nextAttemptAt: delivery.nextAttemptAt ?? null };
}
