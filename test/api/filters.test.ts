import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiClient } from '../support/client.ts';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await stack.workspace();
});

const create = (type: unknown, value: unknown) => workspace.write.post('/filters', { type, value });
const createLabel = async (name: string) => (await workspace.write.post('/labels', { name, color: 'Red' })).body.label;
const refused = (status: number, code: string, details?: object) => ({
  status,
  body: { code, ...(details && { details }) },
});
const message = [expect.any(String)];

describe('POST /filters', () => {
  it('201 with the value as it is kept: addresses and domains in lower case', async () => {
    expect(await create('sender', ' News@List.Example ')).toMatchObject({
      status: 201,
      body: {
        filter: {
          id: expect.any(String),
          type: 'sender',
          value: 'news@list.example',
          label: null,
          createdAt: expect.any(String),
          updatedAt: expect.any(String),
        },
      },
    });
    expect((await create('domain', '@List.Example')).body.filter.value).toBe('list.example');
    expect((await create('subject', 'Weekly News')).body.filter.value).toBe('Weekly News');
  });

  it('201 with the label that it targets', async () => {
    const { createdAt: _createdAt, ...label } = await createLabel('L');
    expect((await create('label', label.id)).body.filter).toMatchObject({ type: 'label', value: label.id, label });
  });

  it('400 VALIDATION_FAILED for a type or a value that is not one', async () => {
    expect(await create('from', 'x')).toMatchObject(refused(400, 'VALIDATION_FAILED', { type: message }));
    expect(await create(undefined, 'x')).toMatchObject(refused(400, 'VALIDATION_FAILED', { type: message }));
    for (const [type, value] of [
      ['sender', 'no address'],
      ['sender', 'a@b.c,d@e.f'],
      ['domain', '@'],
      ['domain', 'two words'],
      ['subject', ''],
      ['subject', '   '],
      ['subject', 'x'.repeat(256)],
      ['subject', 7],
      ['subject', undefined],
    ]) {
      expect(await create(type, value)).toMatchObject(refused(400, 'VALIDATION_FAILED', { value: message }));
    }
    expect((await create('subject', '🎉'.repeat(255))).status).toBe(201);
  });

  it('404 LABEL_NOT_FOUND for an unknown, a foreign and a deleted label', async () => {
    const other = await stack.workspace();
    const foreign = (await other.write.post('/labels', { name: 'F', color: 'Red' })).body.label;
    const deleted = await createLabel('D');
    await workspace.write.delete(`/labels/${deleted.id}`);
    for (const id of ['lbl_never', foreign.id, deleted.id]) {
      expect(await create('label', id)).toMatchObject(refused(404, 'LABEL_NOT_FOUND'));
    }
  });

  it('409 DUPLICATE_FILTER names the filter that says the same', async () => {
    const { filter } = (await create('sender', 'a@b.c')).body;
    expect(await create('sender', 'A@B.C')).toMatchObject(refused(409, 'DUPLICATE_FILTER', { filterId: filter.id }));
    const subject = (await create('subject', 'Café')).body.filter;
    expect(await create('subject', 'CAFÉ')).toMatchObject(refused(409, 'DUPLICATE_FILTER', { filterId: subject.id }));
    expect((await create('subject', 'Cafe')).status).toBe(201);
    expect((await create('domain', 'b.c')).status).toBe(201);
    const other = await stack.workspace();
    expect((await other.write.post('/filters', { type: 'sender', value: 'a@b.c' })).status).toBe(201);
  });

  it('201 once and 409 DUPLICATE_FILTER for all others when many ask at the same time', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create('sender', 'race@b.c')));
    const winners = answers.filter(({ status }) => status === 201);
    expect(winners).toHaveLength(1);
    const filterId = winners[0]?.body.filter.id;
    for (const answer of answers)
      if (answer.status !== 201) expect(answer).toMatchObject(refused(409, 'DUPLICATE_FILTER', { filterId }));
  });

  it('403 INSUFFICIENT_SCOPE with a key that may only read', async () => {
    const answer = await workspace.read.post('/filters', { type: 'domain', value: 'b.c' });
    expect(answer).toMatchObject(refused(403, 'INSUFFICIENT_SCOPE'));
  });
});

describe('GET /filters', () => {
  it('200 with all filters of the workspace, oldest first', async () => {
    const first = (await create('domain', 'b.c')).body.filter;
    const second = (await create('domain', 'a.c')).body.filter;
    expect(await workspace.read.get('/filters')).toMatchObject({ status: 200, body: { items: [first, second] } });
  });

  it('200 without the filters of a label that was deleted', async () => {
    const label = await createLabel('L');
    const { filter } = (await create('label', label.id)).body;
    await workspace.write.delete(`/labels/${label.id}`);
    expect((await workspace.read.get('/filters')).body.items).toEqual([]);
    expect(await workspace.read.get(`/filters/${filter.id}`)).toMatchObject(refused(404, 'FILTER_NOT_FOUND'));
  });
});

describe('GET /filters/{filterId}', () => {
  it('200 with one filter by its id', async () => {
    const { filter } = (await create('domain', 'b.c')).body;
    expect(await workspace.read.get(`/filters/${filter.id}`)).toMatchObject({ status: 200, body: { filter } });
  });
});

describe('PATCH /filters/{filterId}', () => {
  const patch = (id: string, body: object) => workspace.write.patch(`/filters/${id}`, body);

  it('200 with a new value, a new type or both, checked together', async () => {
    const { filter } = (await create('sender', 'a@b.c')).body;
    expect((await patch(filter.id, { value: 'D@E.F' })).body.filter).toMatchObject({
      id: filter.id,
      type: 'sender',
      value: 'd@e.f',
    });
    expect((await patch(filter.id, { type: 'subject' })).body.filter).toMatchObject({
      type: 'subject',
      value: 'd@e.f',
    });
    expect((await patch(filter.id, { type: 'domain', value: '@E.F' })).body.filter).toMatchObject({
      type: 'domain',
      value: 'e.f',
    });
    const label = await createLabel('L');
    expect((await patch(filter.id, { type: 'label', value: label.id })).body.filter.label).toMatchObject({
      id: label.id,
    });
    expect((await patch(filter.id, { value: label.id })).status).toBe(200);
  });

  it('400 VALIDATION_FAILED for nothing at all and for a type that the value does not fit', async () => {
    const { filter } = (await create('sender', 'a@b.c')).body;
    expect(await patch(filter.id, {})).toMatchObject(refused(400, 'VALIDATION_FAILED'));
    expect(await patch(filter.id, { type: 'domain' })).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { value: message }),
    );
    expect(await patch(filter.id, { type: 'label' })).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { value: message }),
    );
    expect(await patch(filter.id, { value: 'none' })).toMatchObject(
      refused(400, 'VALIDATION_FAILED', { value: message }),
    );
    expect((await workspace.read.get(`/filters/${filter.id}`)).body.filter).toEqual(filter);
  });

  it('404 LABEL_NOT_FOUND for a label that is named and not there', async () => {
    const { filter } = (await create('sender', 'a@b.c')).body;
    expect(await patch(filter.id, { type: 'label', value: 'lbl_never' })).toMatchObject(
      refused(404, 'LABEL_NOT_FOUND'),
    );
  });

  it('409 DUPLICATE_FILTER when another says the same', async () => {
    const first = (await create('sender', 'a@b.c')).body.filter;
    const second = (await create('sender', 'd@e.f')).body.filter;
    expect(await patch(second.id, { value: 'A@b.c' })).toMatchObject(
      refused(409, 'DUPLICATE_FILTER', { filterId: first.id }),
    );
    expect((await patch(first.id, { value: 'a@b.c' })).status).toBe(200);
  });
});

describe('DELETE /filters/{filterId}', () => {
  it('204, and 404 FILTER_NOT_FOUND from then on', async () => {
    const { filter } = (await create('sender', 'a@b.c')).body;
    expect(await workspace.write.delete(`/filters/${filter.id}`)).toMatchObject({ status: 204, body: undefined });
    expect(await workspace.write.delete(`/filters/${filter.id}`)).toMatchObject(refused(404, 'FILTER_NOT_FOUND'));
    expect((await create('sender', 'a@b.c')).status).toBe(201);
  });
});

describe.each([
  ['GET /filters/{filterId}', (caller: ApiClient, path: string) => caller.get(path)],
  ['PATCH /filters/{filterId}', (caller: ApiClient, path: string) => caller.patch(path, { value: 'x.y' })],
  ['DELETE /filters/{filterId}', (caller: ApiClient, path: string) => caller.delete(path)],
] as const)('%s', (_endpoint, call) => {
  it('404 FILTER_NOT_FOUND for an unknown filter, and byte for byte the same for one of another workspace', async () => {
    const { filter } = (await create('domain', 'b.c')).body;
    const other = await stack.workspace();
    const unknown = await call(other.write, '/filters/flt_never');
    expect(unknown).toMatchObject(refused(404, 'FILTER_NOT_FOUND'));
    expect((await call(other.write, `/filters/${filter.id}`)).body).toEqual(unknown.body);
    expect((await workspace.read.get(`/filters/${filter.id}`)).body.filter).toEqual(filter);
  });
});
