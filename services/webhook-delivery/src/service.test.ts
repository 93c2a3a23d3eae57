import { randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { service } from './service.ts';
import { openService } from '../../../test/support/webhook-service.ts';

const clock = manualClock('2026-06-01T00:00:00Z');
const url = 'https://hooks.test/in';
let stack: Awaited<ReturnType<typeof openService>>;
let workspaces = 0;
let call: { workspaceId: string };

beforeAll(async () => {
  stack = await openService(clock, { WEBHOOK_ROUTES: 'hooks.test=127.0.0.1:9' });
});
afterAll(() => stack.context.lifecycle.close());
beforeEach(() => {
  call = { workspaceId: `wsp_${(workspaces += 1)}` };
});

const refusal = (code: string, details: object = {}) => expect.objectContaining({ code, ...details });
const create = (more: object = {}, context: object = call) =>
  stack.api.createWebhook({ url, events: [], ...more }, context);
const created = async (more: object = {}) => {
  const { webhook, secret } = await create(more);
  return { id: webhook?.id ?? '', webhook, secret };
};

describe('webhooks', () => {
  it('are made, found, listed, changed and deleted', async () => {
    const { id, webhook, secret } = await created({ events: ['email.received', 'email.received'], description: 'd' });
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(webhook).toMatchObject({ url, events: ['email.received'], description: 'd', status: 'enabled' });
    expect(await stack.api.getWebhook({ webhookId: id }, call)).toEqual(webhook);
    expect(await stack.api.listWebhooks({}, call)).toEqual({ items: [webhook] });
    const change = { webhookId: id, events: { items: [] }, clearDescription: true, status: 'paused' };
    expect(await stack.api.updateWebhook(change, call)).toEqual({
      ...webhook,
      events: [],
      description: undefined,
      status: 'paused',
    });
    await stack.api.deleteWebhook({ webhookId: id }, call);
    expect(await stack.api.listWebhooks({}, call)).toEqual({ items: [] });
  });

  it('WEBHOOK_NOT_FOUND for an unknown one and for one of another workspace, in every call', async () => {
    const { id } = await created();
    for (const [webhookId, context] of [['whk_1', call] as const, [id, { workspaceId: 'wsp_other' }] as const]) {
      const calls = [
        stack.api.getWebhook({ webhookId }, context),
        stack.api.updateWebhook({ webhookId, clearDescription: true, events: undefined }, context),
        stack.api.rotateWebhookSecret({ webhookId }, context),
        stack.api.deleteWebhook({ webhookId }, context),
        stack.api.listDeliveries({ webhookId, limit: 1 }, context),
        stack.api.replayDelivery({ webhookId, deliveryId: 'dlv_1' }, context),
        stack.api.recoverDeliveries({ webhookId, since: '2026-01-01T00:00:00Z' }, context),
      ];
      for (const one of calls) await expect(one).rejects.toEqual(refusal('WEBHOOK_NOT_FOUND'));
    }
    await expect(stack.api.replayDelivery({ webhookId: id, deliveryId: 'dlv_1' }, call)).rejects.toEqual(
      refusal('DELIVERY_NOT_FOUND'),
    );
  });

  it('VALIDATION_FAILED for a URL that is not public, at creation and at a change', async () => {
    const { id } = await created();
    const fault = refusal('VALIDATION_FAILED', { details: { url: [expect.any(String)] } });
    await expect(create({ url: 'https://10.0.0.1/' })).rejects.toEqual(fault);
    await expect(
      stack.api.updateWebhook({ webhookId: id, clearDescription: false, url: 'http://a.b/', events: undefined }, call),
    ).rejects.toEqual(fault);
  });

  it('VALIDATION_FAILED for the 21st', async () => {
    for (let n = 0; n < 20; n += 1) await create();
    await expect(create()).rejects.toEqual(refusal('VALIDATION_FAILED'));
    expect((await stack.api.listWebhooks({}, call)).items).toHaveLength(20);
  });

  it('are made once by an operation, with one secret', async () => {
    const again = { ...call, operationId: 'opr_1' };
    expect(await create({}, again)).toEqual(await create({}, again));
    expect((await stack.api.listWebhooks({}, call)).items).toHaveLength(1);
  });
});

describe('signing secrets', () => {
  it('are rotated once by an operation, and the former one is gone', async () => {
    const { id, secret } = await created();
    const again = { ...call, operationId: 'opr_2' };
    const first = await stack.api.rotateWebhookSecret({ webhookId: id }, again);
    expect(await stack.api.rotateWebhookSecret({ webhookId: id }, again)).toEqual(first);
    expect(first.secret).not.toBe(secret);
  });

  it('stand nowhere in the clear, and move under a new key by rotation', async () => {
    const { secret } = await created();
    await writeFile(join(stack.keys, '2026-02-01'), randomBytes(32));
    const counts = await stack.operators.rotateSecrets({}, {});
    expect(counts.sealed).toEqual([expect.objectContaining({ keyId: '2026-02-01', isKnown: true })]);
    expect(await stack.operators.countSecrets({}, {})).toEqual(counts);
    const stored = await stack.collections.webhooks.find({}).lean();
    expect(JSON.stringify(stored)).not.toContain(secret.slice('whsec_'.length));
    const sealed = await stack.api.sealSecret({ secret }, call);
    expect(await stack.api.openSecret(sealed, call)).toEqual({ secret });
  });

  it('CONFLICT for an answer of another workspace, a changed one, and one whose key is gone', async () => {
    const { sealed } = await stack.api.sealSecret({ secret: 'whsec_x' }, call);
    const conflict = refusal('CONFLICT');
    await expect(stack.api.openSecret({ sealed }, { workspaceId: 'wsp_other' })).rejects.toEqual(conflict);
    await expect(stack.api.openSecret({ sealed: 'x' }, call)).rejects.toEqual(conflict);
    await writeFile(join(stack.keys, '2026-03-01'), randomBytes(32));
    const newer = await stack.api.sealSecret({ secret: 'whsec_x' }, call);
    await rm(join(stack.keys, '2026-03-01'));
    await expect(stack.api.openSecret(newer, call)).rejects.toEqual(conflict);
  });
});

it('refuses what is for development alone in a process that is not', () => {
  const others = { MONGODB_URI: 'mongodb://a', CHANGES_ADDR: 'a:1' };
  const names = {
    WEBHOOK_ROUTES: 'hooks.test=127.0.0.1:1',
    WEBHOOK_CA: 'pem',
    WEBHOOK_DELAYS: '1,2,3,4',
    WEBHOOK_DISABLE_AFTER: '5',
    WEBHOOK_NAME_SERVER: '127.0.0.1:53',
  };
  for (const [name, value] of Object.entries(names)) {
    const issues = service.config.safeParse({ ...others, [name]: value }).error?.issues ?? [];
    expect(issues.map(({ path }) => path[0])).toEqual([name]);
    expect(service.config.safeParse({ ...others, POSTROOM_DEVELOPMENT: 'true', [name]: value }).error).toBeUndefined();
  }
});
