import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/client.ts';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack({ beside: ['app'] });
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const unread = { id: 'c', label: 'read_status', type: 'is_false', value: '' };
const nested = (levels: number): object => (levels === 1 ? unread : { id: 'g', _and: [nested(levels - 1)] });
const create = (body: unknown) => workspace.write.post('/views', body);
const faults = (details: Record<string, unknown>) => ({ status: 400, body: { code: 'VALIDATION_FAILED', details } });
const message = [expect.any(String)];

describe('POST /views', () => {
  it('201 with the view, whose tree comes back as it was sent', async () => {
    const filters = { id: 'g', _or: [unread, { id: 'x', label: 'subject', type: 'contains', value: '$where 🎉' }] };
    expect(await create({ name: ' Unread ', icon: '📬', filters })).toMatchObject({
      status: 201,
      body: {
        view: {
          id: expect.any(String),
          name: 'Unread',
          icon: '📬',
          filters,
          mailboxIds: [],
          createdAt: expect.any(String),
        },
      },
    });
  });

  it('201 with defaults, and with names as long as they may be', async () => {
    expect((await create({ name: 'a' })).body.view).toMatchObject({ icon: null, filters: {} });
    expect((await create({ name: '🎉'.repeat(100), icon: '🎉'.repeat(32), filters: {} })).status).toBe(201);
    expect((await create({ name: 'same', icon: null })).status).toBe(201);
    expect((await create({ name: 'same' })).status).toBe(201);
  });

  it('400 VALIDATION_FAILED for a name, an icon or a tree that is not one', async () => {
    for (const name of [undefined, '', '   ', 'x'.repeat(101), 7, null]) {
      expect(await create({ name })).toMatchObject(faults({ name: message }));
    }
    for (const icon of ['x'.repeat(33), '<img src=x>', 7]) {
      expect(await create({ name: 'a', icon })).toMatchObject(faults({ icon: message }));
    }
    for (const filters of [[], null, 'x', 7])
      expect(await create({ name: 'a', filters })).toMatchObject(faults({ filters: message }));
    const tree = { id: 'g', _and: [unread, { ...unread, type: 'maybe' }] };
    expect(await create({ name: 'a', filters: tree })).toMatchObject(faults({ 'filters._and[1].type': message }));
    expect((await create({ name: 'a', filters: nested(5) })).status).toBe(201);
    expect((await create({ name: 'a', filters: nested(6) })).status).toBe(400);
    const many = (count: number) => ({ id: 'g', _and: Array.from({ length: count }, () => unread) });
    expect((await create({ name: 'a', filters: many(50) })).status).toBe(201);
    expect(await create({ name: 'a', filters: many(51) })).toMatchObject(faults({ filters: message }));
  });

  it('403 INSUFFICIENT_SCOPE with a key that may only read', async () => {
    expect(await workspace.read.post('/views', { name: 'a' })).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE' },
    });
  });

  it('201 once for one idempotency key', async () => {
    const options = { headers: { 'idempotency-key': 'view-1' } };
    const first = await workspace.write.post('/views', { name: 'a' }, options);
    const second = await workspace.write.post('/views', { name: 'a' }, options);
    expect(second.body).toEqual(first.body);
    expect((await workspace.read.get('/views')).body.items).toHaveLength(1);
  });
});

describe('GET /views', () => {
  it('200 with all views of the workspace, oldest first, and nothing else', async () => {
    for (const name of ['b', 'a']) await create({ name });
    const { status, body } = await workspace.read.get('/views');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items.map(({ name }: { name: string }) => name)).toEqual(['b', 'a']);
  });
});

describe('GET /views/{viewId}', () => {
  it('200 with one view by its id', async () => {
    const { view } = (await create({ name: 'a', filters: unread })).body;
    expect(await workspace.read.get(`/views/${view.id}`)).toMatchObject({ status: 200, body: { view } });
  });
});

describe('PATCH /views/{viewId}', () => {
  it('200 with what was named changed and the rest kept', async () => {
    const { view } = (await create({ name: 'a', icon: '📬', filters: unread })).body;
    const patch = async (body: object) => (await workspace.write.patch(`/views/${view.id}`, body)).body.view;
    expect(await patch({ name: 'b' })).toEqual({ ...view, name: 'b' });
    expect(await patch({ icon: null })).toEqual({ ...view, name: 'b', icon: null });
    expect(await patch({ filters: {} })).toEqual({ ...view, name: 'b', icon: null, filters: {} });
    expect((await workspace.read.get(`/views/${view.id}`)).body.view).toMatchObject({ name: 'b', filters: {} });
  });

  it('400 VALIDATION_FAILED without any field and for a faulty one', async () => {
    const { view } = (await create({ name: 'a' })).body;
    for (const body of [{}, { name: '' }, { icon: '<b>' }, { filters: { id: 'x' } }]) {
      expect(await workspace.write.patch(`/views/${view.id}`, body)).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED' },
      });
    }
  });
});

describe('DELETE /views/{viewId}', () => {
  it('204, and 404 VIEW_NOT_FOUND from then on', async () => {
    const { view } = (await create({ name: 'a' })).body;
    expect(await workspace.write.delete(`/views/${view.id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await workspace.write.delete(`/views/${view.id}`)).toMatchObject({
      status: 404,
      body: { code: 'VIEW_NOT_FOUND' },
    });
  });
});

describe.each([
  ['GET /views/{viewId}', (caller: ApiClient, path: string) => caller.get(path)],
  ['PATCH /views/{viewId}', (caller: ApiClient, path: string) => caller.patch(path, { name: 'mine' })],
  ['DELETE /views/{viewId}', (caller: ApiClient, path: string) => caller.delete(path)],
] as const)('%s', (_endpoint, call) => {
  it('404 VIEW_NOT_FOUND for an unknown view, and byte for byte the same for one of another workspace', async () => {
    const { view } = (await create({ name: 'a' })).body;
    const other = await stack.workspace();
    const unknown = await call(other.write, '/views/viw_never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'VIEW_NOT_FOUND' } });
    expect((await call(other.write, `/views/${view.id}`)).body).toEqual(unknown.body);
    expect((await workspace.read.get(`/views/${view.id}`)).body.view).toEqual(view);
  });
});

describe('a view that the app restricts to mailboxes', () => {
  let people: AppPeople;
  beforeAll(async () => {
    people = await openAppPeople(stack);
  });
  afterAll(() => people.close());

  it('shows the emails of these alone, until the restriction ends', async () => {
    const owner = await people.joined(workspace.id, 'owner');
    const [one, other] = [await workspace.connectMailbox(), await workspace.connectMailbox()];
    await workspace.ingest(one.id, [{ subject: 'of one' }]);
    await workspace.ingest(other.id, [{ subject: 'of the other' }]);
    const body = { name: 'Of one', mailboxIds: [one.id, one.id] };
    const { view } = (await owner.call('POST', `${owner.workspace}/views`, { body })).json;
    const shown = async () =>
      (await workspace.read.get(`/emails?viewId=${view.id}`)).body.items.map(
        (item: { subject: string }) => item.subject,
      );
    expect([view.mailboxIds, await shown()]).toEqual([[one.id], ['of one']]);

    const change = (changed: object) => owner.call('PATCH', `${owner.workspace}/views/${view.id}`, { body: changed });
    expect((await change({ name: 'Renamed' })).json.view.mailboxIds).toEqual([one.id]);
    expect((await change({ mailboxIds: [] })).json.view.mailboxIds).toEqual([]);
    expect((await shown()).sort()).toEqual(['of one', 'of the other']);
  });

  it('400 VALIDATION_FAILED with details.mailboxIds for a mailbox of another workspace', async () => {
    const owner = await people.joined(workspace.id, 'owner');
    const foreign = await (await stack.workspace()).connectMailbox();
    const body = { name: 'x', mailboxIds: [foreign.id] };
    const { status, json } = await owner.call('POST', `${owner.workspace}/views`, { body });
    expect({ status, body: json }).toMatchObject(faults({ mailboxIds: message }));
    expect((await workspace.read.get('/views')).body.items).toEqual([]);
  });
});
