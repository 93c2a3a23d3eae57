import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { answerWith, ok, openReceiver, type Received } from '../../../../test/support/webhook-receiver.ts';
import { openService } from '../../../../test/support/webhook-service.ts';
import { createProgressStore } from './progress-store.ts';
import { createNoteDue } from './due-attempts.ts';

const HOSTS = ['a.hooks.test', 'b.hooks.test'];
let stack: Awaited<ReturnType<typeof openService>>;
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let workspaces = 0;
let call: { workspaceId: string };

beforeAll(async () => {
  receiver = await openReceiver(HOSTS);
  stack = await openService(systemClock, {
    WEBHOOK_ROUTES: HOSTS.map((host) => `${host}=127.0.0.1:${receiver.port}`).join(','),
    WEBHOOK_CA: receiver.ca,
    WEBHOOK_DELAYS: '0.1,0.1,0.1,0.1',
  });
});
afterAll(async () => {
  await stack.context.lifecycle.close();
  await receiver.close();
});
beforeEach(() => {
  call = { workspaceId: `wsp_${(workspaces += 1)}` };
  receiver.received.splice(0);
  receiver.answer(ok);
});

const mine = (host = 'a.hooks.test', at = call.workspaceId) =>
  receiver.received.filter((one) => one.host === host && one.path === `/${at}`);
const append = (event: string, data: object = {}) => stack.feed.append(call.workspaceId, event, data);
const create = async (more: object = {}, host = 'a.hooks.test') => {
  const request = { url: `https://${host}/${call.workspaceId}`, events: [], ...more };
  const { webhook, secret } = await stack.api.createWebhook(request, call);
  return { webhookId: webhook?.id ?? '', secret };
};
const update = (webhookId: string, change: object) =>
  stack.api.updateWebhook({ webhookId, events: undefined, clearDescription: false, ...change }, call);
const deliveries = async (webhookId: string) => (await stack.api.listDeliveries({ webhookId, limit: 200 }, call)).items;
async function until(isSo: () => unknown): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(20);
}
const idOf = ({ headers }: Received) => headers['webhook-id'];

describe('a delivery', () => {
  it('has the announced body, headers and signature, for the announced events alone', async () => {
    const { webhookId, secret } = await create();
    append('email.created', { emailId: 'eml_0' });
    const change = append('email.deleted', { emailId: 'eml_1' });
    await until(() => mine().length === 1);
    const [{ body, headers }] = mine() as [Received];
    expect(JSON.parse(body)).toEqual({
      event: 'email.deleted',
      createdAt: change.createdAt,
      data: { emailId: 'eml_1' },
    });
    expect(headers).toMatchObject({ 'x-service-event': 'email.deleted', 'webhook-id': change.id });
    const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-service-signature'])) ?? [];
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
    await until(async () => (await deliveries(webhookId))[0]?.status === 'delivered');
    const [delivery] = await deliveries(webhookId);
    expect(delivery?.attempts).toEqual([expect.objectContaining({ status: 200, error: undefined })]);
  });

  it('is of nothing before the creation, and of the chosen events alone', async () => {
    append('email.deleted');
    const { webhookId } = await create({ events: ['draft.sent'] });
    append('email.deleted');
    const change = append('draft.sent');
    await until(() => mine().length === 1);
    await until(async () => (await deliveries(webhookId)).length === 1);
    expect(mine().map(idOf)).toEqual([change.id]);
  });

  it.each([
    ['4xx', answerWith(404)],
    ['a redirect', answerWith(302, { location: 'https://b.hooks.test/elsewhere' })],
    ['a closed connection', ((_one, response) => void response.socket?.destroy()) as typeof ok],
  ])(
    'that meets %s is tried five times and then abandoned, and later changes do not wait',
    async (_what, answering) => {
      const { webhookId } = await create();
      const first = append('email.deleted');
      receiver.answer((one, response) => (idOf(one) === first.id ? answering(one, response) : ok(one, response)));
      append('email.deleted');
      await until(async () => (await deliveries(webhookId)).some(({ status }) => status === 'abandoned'));
      const found = await deliveries(webhookId);
      const abandoned = found.find(({ changeId }) => changeId === first.id);
      const second = found.find(({ changeId }) => changeId !== first.id);
      expect([second?.status, second?.attempts.length]).toEqual(['delivered', 1]);
      expect([abandoned?.status, abandoned?.attempts.length, abandoned?.nextAttemptAt]).toEqual([
        'abandoned',
        5,
        undefined,
      ]);
      expect(receiver.received.filter(({ path }) => path === '/elsewhere')).toEqual([]);
    },
  );

  it('is signed with the new secret alone once that is there', async () => {
    const { webhookId } = await create();
    const { secret } = await stack.api.rotateWebhookSecret({ webhookId }, call);
    append('email.deleted');
    await until(() => mine().length === 1);
    const [{ body, headers }] = mine() as [Received];
    const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? [];
    expect(v1).toBe(createHmac('sha256', secret).update(`${t}.${body}`).digest('hex'));
  });

  it('counts as it is answered, and an answer without end is cut', async () => {
    const { webhookId } = await create();
    let isCut = false;
    receiver.answer((_one, response) => {
      response.writeHead(200);
      const write = () => response.write('x'.repeat(512), (error) => (error ? undefined : setImmediate(write)));
      response.on('close', () => (isCut = true));
      write();
    });
    append('email.deleted');
    await until(() => isCut);
    await until(async () => (await deliveries(webhookId))[0]?.status === 'delivered');
  });
});

describe('an endpoint', () => {
  it('that is paused receives all that it missed, once and in order, when it is enabled', async () => {
    const { webhookId } = await create();
    append('email.deleted');
    await until(() => mine().length === 1);
    await update(webhookId, { status: 'paused' });
    const missed = Array.from({ length: 30 }, () => append('email.deleted').id);
    await update(webhookId, { status: 'enabled' });
    await until(() => mine().length >= 31);
    await until(async () => (await deliveries(webhookId)).length === 31);
    expect(mine().slice(1).map(idOf)).toEqual(missed);
  });

  it('that fails too long is disabled, is replayed to all the same, and recovers what was abandoned', async () => {
    const { webhookId } = await create();
    receiver.answer(answerWith(500));
    append('email.deleted');
    await until(async () => (await deliveries(webhookId))[0]?.status === 'abandoned');
    const long = { failingSince: new Date(Date.now() - 4 * 86_400_000) };
    await stack.collections.webhooks.updateOne({ _id: webhookId }, { $set: long });
    append('email.deleted');
    const isDisabled = async () => (await stack.api.getWebhook({ webhookId }, call)).status === 'disabled';
    await until(isDisabled);
    receiver.answer(ok);
    const abandoned = (await deliveries(webhookId)).find(({ status }) => status === 'abandoned');
    const deliveryId = abandoned?.id ?? '';
    await stack.api.replayDelivery({ webhookId, deliveryId }, call);
    const found = async () => (await deliveries(webhookId)).find(({ id }) => id === deliveryId);
    await until(async () => (await found())?.status === 'delivered');
    receiver.answer(answerWith(500));
    await stack.api.replayDelivery({ webhookId, deliveryId }, call);
    await until(async () => (await found())?.attempts.length === 7);
    expect((await found())?.status).toBe('delivered');
    expect(await isDisabled()).toBe(true);
  });

  it('recovers what came before its creation, and counts it', async () => {
    const early = [append('email.deleted').id, append('email.created').id, append('draft.sent').id];
    const { webhookId } = await create();
    const since = '2020-01-01T00:00:00Z';
    expect(await stack.api.recoverDeliveries({ webhookId, since }, call)).toEqual({ deliveries: 2 });
    await until(() => mine().length === 2);
    expect(new Set(mine().map(idOf))).toEqual(new Set([early[0], early[2]]));
    await until(async () => (await deliveries(webhookId)).every(({ status }) => status === 'delivered'));
    expect(await stack.api.recoverDeliveries({ webhookId, since }, call)).toEqual({ deliveries: 0 });
  });

  it('keeps the time of a failure that is recorded while the next time is searched for', async () => {
    const { webhookId } = await create();
    const [soon, later] = [3_600_000, 7_200_000].map((ms) => new Date(Date.now() + ms)) as [Date, Date];
    await stack.collections.webhooks.updateOne({ _id: webhookId }, { $set: { dueAt: soon } });
    const progress = createProgressStore(stack.collections);
    let hasFailed = false;
    const fail = async () => {
      const named = { _id: `dlv_${webhookId}`, webhookId, workspaceId: call.workspaceId, status: 'pending' };
      await stack.collections.deliveries.collection.insertOne({ ...named, nextAttemptAt: later } as never);
      await progress.raiseDue(call.workspaceId, webhookId, later);
    };
    const nextDue: typeof progress.nextDue = async (...query) => {
      const next = await progress.nextDue(...query);
      if (!hasFailed) await fail();
      hasFailed = true;
      return next;
    };
    const noted = await createNoteDue({ progress: { ...progress, nextDue } })(call.workspaceId, webhookId);
    const stored = await stack.collections.webhooks.findOne({ _id: webhookId }).lean();
    expect([noted, stored?.dueAt]).toEqual([later, later]);
  });

  it('that hangs delays no other one', async () => {
    const { webhookId } = await create();
    await create({}, 'b.hooks.test');
    const hanging = new Set<() => void>();
    receiver.answer((one, response) => {
      if (one.host === 'b.hooks.test') ok(one, response);
      else hanging.add(() => response.destroy());
    });
    const ids = Array.from({ length: 20 }, () => append('email.deleted').id);
    await until(() => mine('b.hooks.test').length === 20);
    expect(new Set(mine('b.hooks.test').map(idOf))).toEqual(new Set(ids));
    expect(mine().length).toBeLessThan(20);
    await stack.api.deleteWebhook({ webhookId }, call);
    for (const end of hanging) end();
  });
});
