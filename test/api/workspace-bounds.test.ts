import { describe, expect, it } from '@jest/globals';
import { bounds } from '@postroom/contract/bounds';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();

const { labels, views, inboxFilters } = bounds.perWorkspace;
const now = new Date('2026-03-01T00:00:00Z');
const at = (n: number) => ({ _id: `id_${n}`, createdAt: now, updatedAt: now });

interface Kind {
  most: number;
  name: string;
  path: string;
  collection: 'labels' | 'views' | 'inboxFilters';
  stored(n: number): object;
  body(n: number): object;
}

const kinds: Kind[] = [
  {
    most: labels,
    name: 'labels',
    path: '/labels',
    collection: 'labels',
    stored: (n) => ({
      ...at(n),
      name: `s${n}`,
      nameKey: `s${n}`,
      color: 'Red',
      isAiLabel: n % 2 === 0,
      deletedAt: null,
    }),
    body: (n) => ({ name: `Label ${n}`, color: 'Red' }),
  },
  {
    most: views,
    name: 'views',
    path: '/views',
    collection: 'views',
    stored: (n) => ({ ...at(n), name: `s${n}`, icon: null, filters: '{}', mailboxIds: [] }),
    body: (n) => ({ name: `View ${n}` }),
  },
  {
    most: inboxFilters,
    name: 'inboxFilters',
    path: '/filters',
    collection: 'inboxFilters',
    stored: (n) => ({ ...at(n), type: 'subject', value: `s${n}`, valueKey: `s${n}` }),
    body: (n) => ({ type: 'subject', value: `text ${n}` }),
  },
];

async function holding(count: number, { collection, stored }: Kind): Promise<TestWorkspace> {
  const workspace = await stack.workspace();
  const documents = Array.from({ length: count }, (_, n) => {
    const document = stored(n) as { _id: string };
    return { ...document, _id: `${workspace.id}_${document._id}`, workspaceId: workspace.id };
  });
  await stack.collections[collection].collection.insertMany(documents as never[]);
  return workspace;
}

describe.each(kinds)('POST $path', (kind) => {
  const refused = { status: 400, body: { code: 'VALIDATION_FAILED', details: { [kind.name]: [expect.any(String)] } } };
  const count = (workspace: TestWorkspace) =>
    stack.collections[kind.collection].collection.countDocuments({ workspaceId: workspace.id });

  it('400 VALIDATION_FAILED that names the bound for one more than a workspace holds, until there is room', async () => {
    const workspace = await holding(kind.most - 1, kind);
    const last = await workspace.write.post(kind.path, kind.body(1));
    expect(last.status).toBe(201);
    const over = await workspace.write.post(kind.path, kind.body(2));
    expect(over).toMatchObject(refused);
    expect(JSON.stringify(over.body.details)).toContain(String(kind.most));
    const [made] = Object.values(last.body) as { id: string }[];
    expect((await workspace.write.delete(`${kind.path}/${made?.id}`)).status).toBe(204);
    expect((await workspace.write.post(kind.path, kind.body(2))).status).toBe(201);
    expect(await count(workspace)).toBeGreaterThanOrEqual(kind.most);
  });

  it('never more than there may be, however many ask at the same time', async () => {
    const workspace = await holding(kind.most - 3, kind);
    const asked = Array.from({ length: 20 }, (_, n) => workspace.write.post(kind.path, kind.body(n)));
    const answers = await Promise.all(asked);
    const made = answers.filter(({ status }) => status === 201);
    expect(made.length).toBeLessThanOrEqual(3);
    for (const answer of answers) if (answer.status !== 201) expect(answer).toMatchObject(refused);
    expect(await count(workspace)).toBe(kind.most - 3 + made.length);
  });
});

describe('POST /views', () => {
  const condition = { id: 'c', label: 'subject', type: 'contains', value: 'x' };
  const create = async (filters: unknown) => (await stack.workspace()).write.post('/views', { name: 'a', filters });

  it('400 VALIDATION_FAILED for a node with an id of 65 characters, 201 with 64', async () => {
    expect((await create({ ...condition, id: '\u{1f4bb}'.repeat(64) })).status).toBe(201);
    expect(await create({ id: 'g', _and: [{ ...condition, id: 'x'.repeat(65) }] })).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: { 'filters._and[0].id': ['must be at most 64 characters'] } },
    });
  });

  it('400 VALIDATION_FAILED for a tree of more than 8,192 bytes, 201 with as many', async () => {
    const tree = (last: number) => {
      const lengths = [...Array.from({ length: 14 }, () => 500), last];
      return { id: 'g', _and: lengths.map((length) => ({ ...condition, value: 'x'.repeat(length) })) };
    };
    const last = 8_192 - Buffer.byteLength(JSON.stringify(tree(0)));
    expect((await create(tree(last))).status).toBe(201);
    expect(await create(tree(last + 1))).toMatchObject({
      status: 400,
      body: { code: 'VALIDATION_FAILED', details: { filters: ['must be at most 8192 bytes'] } },
    });
  });

  it('leaves the views of before, whatever their trees, readable and in use', async () => {
    const workspace = await stack.workspace();
    const filters = JSON.stringify({ ...condition, id: 'x'.repeat(20_000) });
    const old = { ...at(1), workspaceId: workspace.id, name: 'old', icon: null, filters, mailboxIds: [] };
    await stack.collections.views.collection.insertOne(old as never);
    // Not by our client, which holds answers against the description: that speaks of trees as they may be today.
    const headers = { authorization: `Bearer ${workspace.keys.read}` };
    const views = await (await fetch(`${stack.baseUrl}/views`, { headers })).json();
    expect(views).toMatchObject({ items: [{ filters: { id: 'x'.repeat(20_000) } }] });
    expect((await workspace.read.get(`/emails?viewId=${old._id}`)).status).toBe(200);
  });
});

describe('POST /emails/bulk', () => {
  it('400 VALIDATION_FAILED for an id of 201 characters, 200 with an unknown one of 200', async () => {
    const workspace = await stack.workspace();
    const bulk = (id: string) =>
      workspace.write.post('/emails/bulk', { action: 'markRead', isRead: true, emailIds: ['eml_1', id] });
    expect(await bulk('x'.repeat(201))).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect((await bulk('x'.repeat(200))).body.skippedIds).toHaveLength(2);
    expect((await bulk('')).body.skippedIds).toHaveLength(2);
  });
});

describe.each([
  ['labels', (name: string) => ({ name, color: 'Red' })],
  ['views', (name: string) => ({ name })],
] as const)('POST /%s', (path, body) => {
  it('400 VALIDATION_FAILED for a name that does not show as it reads, or shows nothing', async () => {
    const { write } = await stack.workspace();
    for (const name of ['a\u0007', 'a\nb', 'a\u2028b', 'a\u202eb', '\u2066a', '\u200b', '\u3164', '\u2800 ', ' ']) {
      expect(await write.post(`/${path}`, body(name))).toMatchObject({
        status: 400,
        body: { code: 'VALIDATION_FAILED', details: { name: [expect.any(String)] } },
      });
    }
    expect(await write.post(`/${path}`, body(' \u{1f468}\u200d\u{1f4bb} '))).toMatchObject({ status: 201 });
  });
});
