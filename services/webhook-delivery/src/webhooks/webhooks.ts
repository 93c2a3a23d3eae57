import { isOneOf, mustBeOneOf, WEBHOOK_EVENTS, type WebhookEvent } from '@postroom/contract/lists';
import { ApiError } from '@postroom/errors/api-error';
import { refuse } from '@postroom/errors/refuse';
import { deterministicIdOf } from '@postroom/mail-store/create-once';
import type { WebhookDocument } from '@postroom/mail-store/documents/webhook';
import { insertWithin } from '@postroom/mail-store/insert-within';
import type {
  CreateWebhookRequest,
  UpdateWebhookRequest,
  Webhook,
  WebhookDeliveryServiceDefinition,
} from '@postroom/proto/postroom/v1/webhook_delivery';
import type { Call } from '@postroom/rpc/call';
import type { Handlers } from '@postroom/rpc/definition';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Signing } from '../signing/signing.ts';
import type { Targets } from '../targets/targets.ts';
import type { WebhookChange, WebhookStore } from './webhook-store.ts';

export type { WebhookStore } from './webhook-store.ts';

export interface WebhookDeps {
  context: Pick<ServiceContext, 'clock'>;
  webhooks: WebhookStore;
  signing: Signing;
  targets: Pick<Targets, 'check'>;
  /** The number of the newest change of the workspace. */
  headOf(call: Call): Promise<number>;
}

type Rpcs = Handlers<WebhookDeliveryServiceDefinition>;

export function webhookHandlers(deps: WebhookDeps) {
  const { webhooks } = deps;
  return {
    listWebhooks: async (_request, call) => ({
      items: (await webhooks.list(call.workspaceId, call)).map(toMessageWebhook),
    }),
    getWebhook: async ({ webhookId }, call) =>
      toMessageWebhook(found(await webhooks.find(call.workspaceId, webhookId, call))),
    createWebhook: (request, call) => create(request, call, deps),
    updateWebhook: (request, call) => update(request, call, deps),
    rotateWebhookSecret: async ({ webhookId }, call) => ({ secret: await rotate(webhookId, call, deps) }),
    deleteWebhook: async ({ webhookId }, call) => {
      if (!(await webhooks.delete(call.workspaceId, webhookId, call))) throw new ApiError('WEBHOOK_NOT_FOUND');
      return {};
    },
  } satisfies Partial<Rpcs>;
}

async function create({ url, events, description }: CreateWebhookRequest, call: Call, deps: WebhookDeps) {
  const { webhooks, signing, context } = deps;
  const { workspaceId, operationId } = call;
  const now = context.clock.date();
  await deps.targets.check(url);
  const _id = deterministicIdOf('whk', call);
  const webhook: Omit<WebhookDocument, 'workspaceId'> = {
    _id,
    url,
    events: announcedOnes(events),
    description: description ?? null,
    status: 'enabled',
    secret: await signing.make({ _id, workspaceId }),
    secretOperation: operationId,
    // Changes from here on are delivered, and no earlier ones.
    cursor: await deps.headOf(call),
    orderedUntil: 0,
    dueAt: null,
    failingSince: null,
    disabledAt: null,
    createdAt: now,
    updatedAt: now,
    touchedAt: now,
  };
  const made = await insertWithin('webhooks', {
    countOthers: () => webhooks.countOthers(workspaceId, _id, call),
    insert: () => webhooks.insert(workspaceId, webhook, call),
    takeBack: () => webhooks.delete(workspaceId, _id, call),
  });
  return { webhook: toMessageWebhook(made), secret: await secretFor(made, call, deps) };
}

async function update(request: UpdateWebhookRequest, call: Call, deps: WebhookDeps): Promise<Webhook> {
  const { workspaceId } = call;
  const { webhookId } = request;
  const current = found(await deps.webhooks.find(workspaceId, webhookId, call));
  const now = deps.context.clock.date();
  if (request.url !== undefined) await deps.targets.check(request.url);
  const change: WebhookChange = {
    // Another URL is another endpoint, which has not failed yet.
    ...(request.url !== undefined && { url: request.url, failingSince: null }),
    ...(request.events && { events: announcedOnes(request.events.items) }),
    ...((request.clearDescription || request.description !== undefined) && {
      description: request.clearDescription ? null : (request.description ?? null),
    }),
    ...(await statusChange(request.status, current, now, () => deps.headOf(call))),
  };
  // Before the endpoint is enabled: nothing is attempted yet, and a call that dies here is repeated.
  if (change.status === 'enabled')
    await deps.webhooks.makeDue(workspaceId, webhookId, current.status === 'disabled' ? 'all' : 'overdue', now, call);
  return toMessageWebhook(found(await deps.webhooks.change(workspaceId, webhookId, change, now, call)));
}

async function statusChange(
  status: string | undefined,
  current: WebhookDocument,
  now: Date,
  head: () => Promise<number>,
): Promise<WebhookChange> {
  if (status === undefined || status === current.status) return {};
  if (status === 'paused') return { status, disabledAt: null };
  if (status !== 'enabled') return refuse('status', mustBeOneOf(['enabled', 'paused']));
  // It catches up in order, its waiting deliveries first.
  return { status, failingSince: null, disabledAt: null, orderedUntil: await head(), dueAt: now };
}

async function rotate(webhookId: string, call: Call, deps: WebhookDeps): Promise<string> {
  const { webhooks, signing, context } = deps;
  const { workspaceId, operationId } = call;
  const secret = await signing.make({ _id: webhookId, workspaceId });
  const replacement = { secret, operation: operationId, now: context.clock.date() };
  const replaced = await webhooks.replaceSecret(workspaceId, webhookId, replacement, call);
  return secretFor(replaced ?? found(await webhooks.find(workspaceId, webhookId, call)), call, deps);
}

/** Told to the operation that made it, and to its repeats. */
async function secretFor(webhook: WebhookDocument, { operationId }: Call, { signing }: WebhookDeps): Promise<string> {
  if (webhook.secretOperation !== operationId)
    throw new ApiError('CONFLICT', { message: 'The secret has been replaced since; ask for a new one.' });
  return (await signing.open(webhook)).reveal();
}

function announcedOnes(events: readonly string[]): WebhookEvent[] {
  return [...new Set(events)].map((event) =>
    isOneOf(WEBHOOK_EVENTS, event) ? event : refuse('events', mustBeOneOf(WEBHOOK_EVENTS)),
  );
}

export function found(webhook: WebhookDocument | null): WebhookDocument {
  if (!webhook) throw new ApiError('WEBHOOK_NOT_FOUND');
  return webhook;
}

function toMessageWebhook(webhook: WebhookDocument): Webhook {
  return {
    id: webhook._id,
    url: webhook.url,
    events: webhook.events,
    description: webhook.description ?? undefined,
    status: webhook.status,
    failingSince: webhook.failingSince?.toISOString(),
    disabledAt: webhook.disabledAt?.toISOString(),
    createdAt: webhook.createdAt.toISOString(),
    updatedAt: webhook.updatedAt.toISOString(),
  };
}
