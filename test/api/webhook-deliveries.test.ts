import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/client.ts';
import { storeDelivery } from '../support/deliveries.ts';
import { startStack } from '../support/stack.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const URL = 'https://hooks.example.com/';
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const created = async (body: object = {}) =>
  (await workspace.write.post('/webhooks', { url: URL, ...body })).body.webhook;
const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});

describe('GET /webhooks/{webhookId}/deliveries', () => {
  const page = (id: string, query = '') => workspace.read.get(`/webhooks/${id}/deliveries${query}`);

  it('200 with a page of deliveries and their attempts, the newest first, each once', async () => {
    const { id } = await created({ events: ['mailbox.sync_failed'] });
    for (let n = 0; n < 5; n++)
      await storeDelivery(stack, workspace.id, id, {
        _id: `dlv_${workspace.id}_${n}`,
        createdAt: new Date(Date.UTC(2026, 0, 1, 0, n >> 1)),
        status: n === 3 ? 'delivered' : 'abandoned',
      });
    const all = (await page(id)).body;
    expect([all.hasMore, all.nextCursor]).toEqual([false, null]);
    expect(all.items.map((item: { id: string }) => item.id.slice(-1)).join('')).toMatch(/^4(23|32)(01|10)$/);
    expect(all.items[0]).toEqual({
      id: `dlv_${workspace.id}_4`,
      changeId: `evt_dlv_${workspace.id}_4`,
      event: 'email.deleted',
      status: 'abandoned',
      attempts: [{ at: expect.stringMatching(DATE), status: 500, durationMs: 12, error: null }],
      nextAttemptAt: null,
      createdAt: '2026-01-01T00:02:00.000Z',
    });
    const seen: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const { body } = await page(id, `?limit=2${cursor && `&cursor=${cursor}`}`);
      seen.push(...body.items);
      cursor = body.nextCursor;
    }
    expect(seen).toEqual(all.items);
    expect((await page(id, '?status=delivered')).body.items).toHaveLength(1);
    expect((await page(id, '?limit=none')).body.items).toHaveLength(5);
  });

  it('400 VALIDATION_FAILED for an unknown status, and for a cursor of no one, of another webhook or another status', async () => {
    const [{ id }, other] = [await created({ events: ['mailbox.sync_failed'] }), await created()];
    for (const n of [1, 2]) await storeDelivery(stack, workspace.id, id, { _id: `dlv_c_${workspace.id}_${n}` });
    const cursor = (await page(id, '?limit=1')).body.nextCursor;
    const bad = refused(400, 'VALIDATION_FAILED', { cursor: [expect.any(String)] });
    expect(await page(id, '?cursor=none')).toMatchObject(bad);
    expect(await page(other.id, `?cursor=${cursor}`)).toMatchObject(bad);
    expect(await page(id, `?cursor=${cursor}&status=abandoned`)).toMatchObject(bad);
    expect(await page(id, '?status=lost')).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { status: [expect.any(String)] }),
    );
  });

  it('200 for 10,000 deliveries, 200 at most a page', async () => {
    const { id } = await created({ events: ['mailbox.sync_failed'] });
    await storeDelivery(stack, workspace.id, id, { _id: `dlv_many_${workspace.id}` });
    const { deliveries } = stack.collections;
    const one = await deliveries.collection.findOne({ webhookId: id });
    const many = Array.from({ length: 10_000 }, (_none, n) => ({ ...one, _id: `dlv_m_${workspace.id}_${n}` as never }));
    await deliveries.collection.insertMany(many);
    const { body } = await page(id, '?limit=100000');
    expect([body.items.length, body.hasMore]).toEqual([200, true]);
  });
});

describe('POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay', () => {
  it('202 with the delivery, to a paused webhook too', async () => {
    const { id } = await created({ events: ['mailbox.sync_failed'] });
    await workspace.write.patch(`/webhooks/${id}`, { status: 'paused' });
    const deliveryId = await storeDelivery(stack, workspace.id, id, { _id: `dlv_r_${workspace.id}` });
    expect(await workspace.write.post(`/webhooks/${id}/deliveries/${deliveryId}/replay`)).toMatchObject({
      status: 202,
      body: { delivery: { id: deliveryId, status: 'abandoned', attempts: [{ status: 500 }] } },
    });
  });

  it('404 DELIVERY_NOT_FOUND for an unknown delivery and for one of another webhook', async () => {
    const [{ id }, other] = [await created({ events: ['mailbox.sync_failed'] }), await created()];
    const deliveryId = await storeDelivery(stack, workspace.id, id, { _id: `dlv_o_${workspace.id}` });
    const unknown = refused(404, 'DELIVERY_NOT_FOUND');
    expect(await workspace.write.post(`/webhooks/${id}/deliveries/dlv_never/replay`)).toMatchObject(unknown);
    expect(await workspace.write.post(`/webhooks/${other.id}/deliveries/${deliveryId}/replay`)).toMatchObject(unknown);
  });

  it('404 WEBHOOK_NOT_FOUND for an unknown webhook, whatever the delivery', async () => {
    expect(await workspace.write.post('/webhooks/whk_never/deliveries/dlv_1/replay')).toMatchObject(
      refused(404, 'WEBHOOK_NOT_FOUND'),
    );
  });
});

describe('POST /webhooks/{webhookId}/recover', () => {
  const recover = (id: string, since: unknown) => workspace.write.post(`/webhooks/${id}/recover`, { since });

  it('202 with how many deliveries are made: those that were abandoned', async () => {
    const { id } = await created({ events: ['mailbox.sync_failed'] });
    await workspace.write.patch(`/webhooks/${id}`, { status: 'paused' });
    await storeDelivery(stack, workspace.id, id, { _id: `dlv_a_${workspace.id}` });
    await storeDelivery(stack, workspace.id, id, { _id: `dlv_d_${workspace.id}`, status: 'delivered', seq: 2 });
    expect(await recover(id, '2999-01-01T00:00:00Z')).toMatchObject({ status: 202, body: { deliveries: 0 } });
    expect(await recover(id, '2020-01-01T00:00:00+02:00')).toMatchObject({ status: 202, body: { deliveries: 1 } });
  });

  it('404 WEBHOOK_NOT_FOUND for an unknown webhook', async () => {
    expect(await recover('whk_never', '2026-01-01T00:00:00Z')).toMatchObject(refused(404, 'WEBHOOK_NOT_FOUND'));
  });

  it.each([undefined, null, 7, '', 'yesterday', '2026-01-01', '2026-13-01T00:00:00Z', '2026-01-01T00:00:00'])(
    '400 VALIDATION_FAILED with details.since for %p',
    async (since) => {
      const { id } = await created();
      expect(await recover(id, since)).toMatchObject(
        refused(400, 'VALIDATION_FAILED', { since: [expect.any(String)] }),
      );
    },
  );
});

describe.each([
  ['GET /webhooks/{webhookId}', (caller: ApiClient, id: string) => caller.get(`/webhooks/${id}`)],
  ['PATCH /webhooks/{webhookId}', (caller: ApiClient, id: string) => caller.patch(`/webhooks/${id}`, { url: URL })],
  ['DELETE /webhooks/{webhookId}', (caller: ApiClient, id: string) => caller.delete(`/webhooks/${id}`)],
  ['POST /webhooks/{webhookId}/secret', (caller: ApiClient, id: string) => caller.post(`/webhooks/${id}/secret`)],
  ['GET /webhooks/{webhookId}/deliveries', (caller: ApiClient, id: string) => caller.get(`/webhooks/${id}/deliveries`)],
  [
    'POST /webhooks/{webhookId}/deliveries/{deliveryId}/replay',
    (caller: ApiClient, id: string) => caller.post(`/webhooks/${id}/deliveries/dlv_1/replay`),
  ],
  [
    'POST /webhooks/{webhookId}/recover',
    (caller: ApiClient, id: string) => caller.post(`/webhooks/${id}/recover`, { since: '2026-01-01T00:00:00Z' }),
  ],
] as const)('%s', (_endpoint, call) => {
  it('404 WEBHOOK_NOT_FOUND for an unknown webhook, and the same for one of another workspace', async () => {
    const webhook = await created();
    const other = await stack.workspace();
    const unknown = await call(other.write, 'whk_never');
    expect(unknown).toMatchObject(refused(404, 'WEBHOOK_NOT_FOUND'));
    expect((await call(other.write, webhook.id)).body).toEqual(unknown.body);
    expect((await workspace.read.get(`/webhooks/${webhook.id}`)).body.webhook).toEqual(webhook);
  });
});

it('404 NOT_FOUND for every call while webhooks are closed', async () => {
  const closed = await startStack({ features: [] });
  try {
    const { write } = await closed.workspace();
    const gone = refused(404, 'NOT_FOUND');
    expect(await write.get('/webhooks')).toMatchObject(gone);
    expect(await write.post('/webhooks', { url: URL })).toMatchObject(gone);
    expect(await write.post('/webhooks/whk_1/secret')).toMatchObject(gone);
  } finally {
    await closed.close();
  }
});
