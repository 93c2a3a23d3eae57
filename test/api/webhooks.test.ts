import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { WEBHOOK_EVENTS } from '@postroom/contract/lists';
import { storeDelivery } from '../support/deliveries.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const URL = 'https://hooks.example.com/postroom';
const DATE = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;
const SECRET = /^whsec_[A-Za-z0-9+/]{43}=$/;
const create = (body: object = {}, key?: string) =>
  workspace.write.post('/webhooks', { url: URL, ...body }, key ? { headers: { 'idempotency-key': key } } : {});
const created = async (body: object = {}) => (await create(body)).body.webhook;
const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});

/** All records of the gateway and all webhooks as they are stored, as text. */
async function storedText(): Promise<string> {
  const { idempotencyRecords, webhooks } = stack.collections;
  const documents = await Promise.all(
    [idempotencyRecords, webhooks].map((model) => model.collection.find({ workspaceId: workspace.id }).toArray()),
  );
  return JSON.stringify(documents);
}

describe('POST /webhooks', () => {
  it('201 with the webhook and its secret, which no later answer shows', async () => {
    const { status, body } = await create({ events: ['email.received', 'draft.sent'], description: 'Ours' });
    expect([status, body]).toEqual([
      201,
      {
        webhook: {
          id: expect.stringMatching(/^whk_/),
          url: URL,
          events: ['email.received', 'draft.sent'],
          description: 'Ours',
          status: 'enabled',
          failingSince: null,
          disabledAt: null,
          createdAt: expect.stringMatching(DATE),
          updatedAt: expect.stringMatching(DATE),
        },
        secret: expect.stringMatching(SECRET),
      },
    ]);
    const listed = await workspace.read.get('/webhooks');
    expect(listed.body).toEqual({ items: [body.webhook] });
    expect((await workspace.read.get(`/webhooks/${body.webhook.id}`)).body).toEqual({ webhook: body.webhook });
  });

  it('201 for all events where none are named, with a description that is null', async () => {
    expect(await created()).toMatchObject({ events: [], description: null });
    expect(await created({ events: [], description: null })).toMatchObject({ events: [], description: null });
    expect(await created({ events: [...WEBHOOK_EVENTS] })).toMatchObject({ events: [...WEBHOOK_EVENTS] });
  });

  it.each([
    ['http', 'http://hooks.example.com/'],
    ['another port', 'https://hooks.example.com:8443/'],
    ['credentials', 'https://user:word@hooks.example.com/'],
    ['a fragment', 'https://hooks.example.com/#a'],
    ['an inside address', 'https://10.0.0.1/'],
    ['the address of this machine', 'https://127.0.0.1/'],
    ['it as one number', 'https://2130706433/'],
    ['it in hexadecimal', 'https://0x7f.1/'],
    ['it mapped to IPv6', 'https://[::ffff:127.0.0.1]/'],
    ['it by full-width digits', 'https://１２７.０.０.１/'],
    ['link-local IPv6', 'https://[fe80::1]/'],
    ['the metadata service', 'https://169.254.169.254/latest/meta-data'],
    ['localhost', 'https://localhost/'],
    ['a name below localhost', 'https://a.localhost/'],
    ['a name of one label', 'https://gateway/'],
    ['an inside name', 'https://webhook-delivery.postroom.svc.cluster.local/'],
    ['a special name', 'https://printer.local/'],
    ['a special name in capitals', 'https://X.INTERNAL/'],
    ['a special name with a dot behind', 'https://a.internal./'],
    ['no host', 'https:///a'],
    ['no URL', 'hooks.example.com'],
    ['an empty text', ''],
    ['a line break', 'https://hooks.example.com/\r\nX-Evil: 1'],
    ['a tab in the host', 'https://hooks.exam\tple.com/'],
    ['a backslash', 'https://hooks.example.com\\@10.0.0.1/'],
    ['a NUL', 'https://hooks.example.com/\0'],
    ['a direction mark', 'https://hooks.example.com/\u202e'],
    ['2,049 characters', `https://hooks.example.com/${'a'.repeat(2_049 - 26)}`],
    ['another scheme', 'ftp://hooks.example.com/'],
    ['a number', 7],
    ['null', null],
  ])('400 VALIDATION_FAILED with details.url for %s', async (_what, url) => {
    expect(await create({ url })).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { url: [expect.stringMatching(/^must /)] }),
    );
  });

  it.each([
    ['2,048 characters', `https://hooks.example.com/${'a'.repeat(2_048 - 26)}`],
    ['the port as it is implied', 'https://hooks.example.com:443/'],
    ['a query', 'https://hooks.example.com/?a=b&c=%0d%0a'],
    ['a name of another script', 'https://bücher.example.com/'],
    ['a public address', 'https://1.1.1.1/hook'],
    ['a public IPv6 address', 'https://[2606:4700:4700::1111]/'],
  ])('201 for a URL with %s, which is kept as it was written', async (_what, url) => {
    expect(await create({ url })).toMatchObject({ status: 201, body: { webhook: { url } } });
  });

  it('400 VALIDATION_FAILED for unknown events, too many, and a long description', async () => {
    for (const [field, value] of [
      ['events', ['email.created']],
      ['events', Array(7).fill('draft.sent')],
      ['events', 'draft.sent'],
      ['description', 'x'.repeat(501)],
      ['description', 7],
    ] as const) {
      const { status, body } = await create({ [field]: value });
      expect([status, body.code, Object.keys(body.details)[0]]).toEqual([
        400,
        'VALIDATION_FAILED',
        expect.stringContaining(field),
      ]);
    }
  });

  it('400 VALIDATION_FAILED for the 21st, also of 25 at once, and again 201 once one is deleted', async () => {
    const answers = await Promise.all(Array.from({ length: 25 }, () => create()));
    const made = answers.filter(({ status }) => status === 201);
    const { items } = (await workspace.read.get('/webhooks')).body;
    expect(made.length).toBe(items.length);
    expect(items.length).toBeLessThanOrEqual(20);
    for (let missing = 20 - items.length; missing > 0; missing--) expect((await create()).status).toBe(201);
    expect(await create()).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { webhooks: [expect.stringContaining('20')] }),
    );
    await workspace.write.delete(`/webhooks/${items[0].id}`);
    expect((await create()).status).toBe(201);
  });

  it('201 with the first answer byte for byte for a repeat, whatever happened since, and no record holds the secret', async () => {
    const key = randomUUID();
    const first = await create({}, key);
    const { id } = first.body.webhook;
    const replayed = { status: 201, body: first.body };
    expect(await create({}, key)).toMatchObject(replayed);
    await workspace.write.patch(`/webhooks/${id}`, { status: 'paused' });
    await workspace.write.post(`/webhooks/${id}/secret`);
    expect(await create({}, key)).toMatchObject(replayed);
    await workspace.write.delete(`/webhooks/${id}`);
    const last = await create({}, key);
    expect([last.body, last.headers.get('idempotency-replayed')]).toEqual([first.body, 'true']);
    expect((await workspace.read.get('/webhooks')).body.items).toEqual([]);
    const stored = await storedText();
    expect(stored).toContain(id);
    for (const form of [
      first.body.secret,
      first.body.secret.slice(6),
      Buffer.from(first.body.secret).toString('base64'),
    ])
      expect(stored).not.toContain(form);
  });

  it('201 for the same webhook and secret when the first answer was not kept, as after a crash', async () => {
    const key = randomUUID();
    const first = await create({}, key);
    const lost = { $set: { answer: null, leaseUntil: new Date(0) } };
    await stack.collections.idempotencyRecords.collection.updateMany({ workspaceId: workspace.id }, lost);
    const second = await create({}, key);
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect((await workspace.read.get('/webhooks')).body.items).toHaveLength(1);
  });

  it('409 CONFLICT for another URL under the key, and the refusal of a bad one is kept', async () => {
    const [key, other] = [randomUUID(), randomUUID()];
    await create({}, key);
    expect(await create({ url: `${URL}/other` }, key)).toMatchObject(refused(409, 'CONFLICT'));
    expect((await create({ url: 'https://localhost/' }, other)).status).toBe(400);
    const again = await create({ url: 'https://localhost/' }, other);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([400, 'true']);
  });

  it("409 CONFLICT that names what to do when the record's secret cannot be opened any more", async () => {
    const key = randomUUID();
    await create({}, key);
    const records = stack.collections.idempotencyRecords.collection;
    const record = await records.findOne({ workspaceId: workspace.id });
    const body = JSON.stringify({ ...JSON.parse(record?.answer.body), secret: 'AAAA' });
    await records.updateOne({ _id: record?._id }, { $set: { 'answer.body': body } });
    expect(await create({}, key)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });
});

describe('GET /webhooks', () => {
  it('200 with those of the workspace, the oldest first', async () => {
    expect((await workspace.read.get('/webhooks')).body).toEqual({ items: [] });
    const [first, second] = [await created(), await created()];
    expect((await workspace.read.get('/webhooks')).body).toEqual({ items: [first, second] });
    expect((await (await stack.workspace()).read.get('/webhooks')).body).toEqual({ items: [] });
  });

  it('403 INSUFFICIENT_SCOPE for a change with a key that reads', async () => {
    expect(await workspace.read.post('/webhooks', { url: URL })).toMatchObject(refused(403, 'INSUFFICIENT_SCOPE'));
  });
});

describe('GET /webhooks/{webhookId}', () => {
  it('200 with the webhook', async () => {
    const webhook = await created();
    expect(await workspace.read.get(`/webhooks/${webhook.id}`)).toMatchObject({ status: 200, body: { webhook } });
  });
});

describe('PATCH /webhooks/{webhookId}', () => {
  const patch = (id: string, body: object) => workspace.write.patch(`/webhooks/${id}`, body);

  it('200 with what was changed, and all else as it was', async () => {
    const webhook = await created({ events: ['draft.sent'], description: 'Ours' });
    const paused = await patch(webhook.id, { status: 'paused' });
    expect(paused.body.webhook).toEqual({ ...webhook, status: 'paused', updatedAt: expect.any(String) });
    expect((await patch(webhook.id, { events: [] })).body.webhook).toMatchObject({ events: [], description: 'Ours' });
    expect((await patch(webhook.id, { description: null })).body.webhook).toMatchObject({ description: null });
    const moved = await patch(webhook.id, { url: `${URL}/2`, status: 'enabled' });
    expect(moved.body.webhook).toMatchObject({ url: `${URL}/2`, status: 'enabled', description: null });
    expect((await workspace.read.get(`/webhooks/${webhook.id}`)).body).toEqual(moved.body);
  });

  it('400 VALIDATION_FAILED for nothing, a status that is not for callers, a bad URL, and changes nothing', async () => {
    const webhook = await created();
    expect((await patch(webhook.id, {})).status).toBe(400);
    for (const [field, value] of [
      ['status', 'disabled'],
      ['url', 'https://localhost/'],
      ['url', null],
      ['events', null],
      ['events', ['x']],
    ] as const)
      expect((await patch(webhook.id, { description: 'new', [field]: value })).body.details).toHaveProperty(
        field === 'events' && value ? ['events[0]'] : [field],
      );
    expect((await workspace.read.get(`/webhooks/${webhook.id}`)).body.webhook).toEqual(webhook);
  });

  it('200 for fields that are changed at the same time: none is lost', async () => {
    const { id } = await created();
    const changes = [{ url: `${URL}/race` }, { events: ['draft.sent'] }, { description: 'race' }, { status: 'paused' }];
    await Promise.all(changes.map((change) => patch(id, change)));
    const { webhook } = (await workspace.read.get(`/webhooks/${id}`)).body;
    expect(webhook).toMatchObject(Object.assign({}, ...changes));
  });
});

describe('POST /webhooks/{webhookId}/secret', () => {
  const rotate = (id: string, key?: string) =>
    workspace.write.post(`/webhooks/${id}/secret`, undefined, key ? { headers: { 'idempotency-key': key } } : {});

  it('200 with a new secret, the same for a repeat after another rotation, and no record holds it', async () => {
    const first = (await create()).body;
    const { id } = first.webhook;
    const key = randomUUID();
    const { status, body } = await rotate(id, key);
    expect([status, body]).toEqual([200, { secret: expect.stringMatching(SECRET) }]);
    expect(body.secret).not.toBe(first.secret);
    expect((await rotate(id)).body.secret).not.toBe(body.secret);
    const again = await rotate(id, key);
    expect([again.body, again.headers.get('idempotency-replayed')]).toEqual([body, 'true']);
    expect(await storedText()).not.toContain(body.secret.slice(6));
  });
});

describe('DELETE /webhooks/{webhookId}', () => {
  it('204, and 404 WEBHOOK_NOT_FOUND from then on, for its deliveries too', async () => {
    const { id } = await created();
    await storeDelivery(stack, workspace.id, id, { _id: 'dlv_deleted' });
    expect(await workspace.write.delete(`/webhooks/${id}`)).toMatchObject({ status: 204, body: undefined });
    const gone = refused(404, 'WEBHOOK_NOT_FOUND');
    expect(await workspace.write.delete(`/webhooks/${id}`)).toMatchObject(gone);
    expect(await workspace.read.get(`/webhooks/${id}/deliveries`)).toMatchObject(gone);
    expect(await workspace.write.post(`/webhooks/${id}/deliveries/dlv_deleted/replay`)).toMatchObject(gone);
  });
});
