import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import { storeAiLabel } from '../support/ai-label.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  [mine, theirs] = [await stack.workspace(), await stack.workspace()];
});

let count = 0;
const create = async (workspace = mine, name = `Label ${(count += 1)}`) =>
  (await workspace.write.post('/labels', { name, color: 'Blue' })).body.label as { id: string; name: string };

/** A workspace in which an active rule forwards by a label of this name. */
async function forwardingBy(conditionValue: string, isActive = true) {
  const workspace = await stack.workspace();
  const rule = { conditionValue, forwardTo: 'books@accounting.example', isActive };
  await workspace.send.post('/auto-forward-rules', rule);
  return workspace;
}

describe('POST /labels', () => {
  it('201 with the whole label, its name trimmed', async () => {
    const answer = await mine.write.post('/labels', { name: '  Invoices 2026 ', color: 'any colour at all' });
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      label: {
        id: expect.any(String),
        name: 'Invoices 2026',
        color: 'any colour at all',
        isAiLabel: false,
        createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      },
    });
  });

  it.each([
    ['without a name', { color: 'Red' }, 'name'],
    ['with a blank name', { name: '   ', color: 'Red' }, 'name'],
    ['with a name of 51 characters', { name: 'x'.repeat(51), color: 'Red' }, 'name'],
    ['with a name that is no text', { name: 7, color: 'Red' }, 'name'],
    ['without a colour', { name: 'No colour' }, 'color'],
    ['with an empty colour', { name: 'No colour', color: '' }, 'color'],
    ['with a colour of 33 characters', { name: 'Long colour', color: 'x'.repeat(33) }, 'color'],
  ])('400 VALIDATION_FAILED %s', async (_what, body, field) => {
    const answer = await mine.write.post('/labels', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.details[field]).toEqual([expect.any(String)]);
  });

  it('201 for 50 characters that take two code units each', async () => {
    expect((await mine.write.post('/labels', { name: '🎉'.repeat(50), color: '🎨'.repeat(32) })).status).toBe(201);
  });

  it('201 with every character kept, a byte order mark in front too', async () => {
    const answer = await mine.write.post('/labels', { name: 'Marked', color: '\ufeffBlue' });
    expect(answer).toMatchObject({ status: 201, body: { label: { color: '\ufeffBlue' } } });
  });

  it('400 REQUEST_ERROR when the body is not JSON', async () => {
    const answer = await mine.write.post('/labels', undefined, { raw: '{"name":' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });

  it('409 DUPLICATE_TAG_NAME when the name is taken in any case, by an AI label too', async () => {
    await create(mine, 'Straße');
    await storeAiLabel(stack, mine.id, 'Urgent');
    for (const name of ['straße', 'STRASSE', ' URGENT ', 'Ur\u200bgent', 'Urgent\u2060']) {
      const answer = await mine.write.post('/labels', { name, color: 'Red' });
      expect(answer).toMatchObject({ status: 409, body: { code: 'DUPLICATE_TAG_NAME' } });
    }
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission for a name that an active forward rule names, in any case', async () => {
    const workspace = await forwardingBy('Invoices');
    for (const name of ['Invoices', ' iNVOICES ']) {
      const answer = await workspace.write.post('/labels', { name, color: 'Red' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
    }
    expect((await workspace.write.post('/labels', { name: 'Invoices 2', color: 'Red' })).status).toBe(201);
    expect((await workspace.send.post('/labels', { name: 'Invoices', color: 'Red' })).status).toBe(201);
  });

  it('201 for a name that only a rule that is off names, or a rule of another workspace', async () => {
    await forwardingBy('Paused');
    const workspace = await forwardingBy('Paused', false);
    expect((await workspace.write.post('/labels', { name: 'Paused', color: 'Red' })).status).toBe(201);
  });

  it('409 DUPLICATE_TAG_NAME for all but one of twenty at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => mine.write.post('/labels', { name: 'At once', color: 'Red' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
  });

  it('201 for a name that another workspace has', async () => {
    await create(theirs, 'Shared');
    expect((await mine.write.post('/labels', { name: 'Shared', color: 'Red' })).status).toBe(201);
  });

  it('201 again and only one label when it is repeated under its idempotency key; 409 CONFLICT with another body', async () => {
    const headers = { 'idempotency-key': 'label-once' };
    const first = await mine.write.post('/labels', { name: 'Once', color: 'Red' }, { headers });
    const again = await mine.write.post('/labels', { name: 'Once', color: 'Red' }, { headers });
    expect(again.status).toBe(201);
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    const other = await mine.write.post('/labels', { name: 'Twice', color: 'Red' }, { headers });
    expect(other).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    const answer = await mine.read.post('/labels', { name: 'No', color: 'Red' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', details: { required: 'write', granted: ['read'] } },
    });
  });

  it('401 INVALID_API_KEY without a key', async () => {
    const answer = await stack.client().post('/labels', { name: 'No', color: 'Red' });
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });
});

describe('GET /labels', () => {
  it('200 with manual and AI labels in the order of their making, and nothing beside items', async () => {
    const workspace = await stack.workspace();
    await create(workspace, 'Zebra');
    await storeAiLabel(stack, workspace.id, 'Clever');
    await create(workspace, 'Apple');
    const { status, body } = await workspace.read.get('/labels');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items.map(({ name, isAiLabel }: { name: string; isAiLabel: boolean }) => [name, isAiLabel])).toEqual([
      ['Zebra', false],
      ['Clever', true],
      ['Apple', false],
    ]);
  });
});

describe('GET /labels/{labelId}', () => {
  it('200 with the label', async () => {
    const label = await create();
    expect(await mine.read.get(`/labels/${label.id}`)).toMatchObject({ status: 200, body: { label } });
  });

  it('404 LABEL_NOT_FOUND for an unknown label, and the same bytes for a foreign one', async () => {
    const foreign = await create(theirs);
    const [unknown, other] = [await mine.read.get('/labels/lbl_unknown'), await mine.read.get(`/labels/${foreign.id}`)];
    expect(unknown).toMatchObject({ status: 404, body: { code: 'LABEL_NOT_FOUND' } });
    expect(other.body).toEqual(unknown.body);
  });
});

describe('PATCH /labels/{labelId}', () => {
  it('200 with the label as it now is; what is not named stays', async () => {
    const label = await create();
    const recoloured = await mine.write.patch(`/labels/${label.id}`, { color: 'Pink' });
    expect(recoloured).toMatchObject({ status: 200, body: { label: { ...label, color: 'Pink' } } });
    const renamed = await mine.write.patch(`/labels/${label.id}`, { name: label.name.toUpperCase() });
    expect(renamed).toMatchObject({ status: 200, body: { label: { name: label.name.toUpperCase(), color: 'Pink' } } });
  });

  it.each([
    ['with nothing to change', {}],
    ['with an empty name', { name: '' }],
    ['with a colour that is no text', { color: null }],
  ])('400 VALIDATION_FAILED %s', async (_what, body) => {
    const label = await create();
    const answer = await mine.write.patch(`/labels/${label.id}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission when a forward rule names the former or the new name', async () => {
    const workspace = await forwardingBy('Invoices');
    const other = await create(workspace, 'Other');
    const label = (await workspace.send.post('/labels', { name: 'invoices', color: 'Red' })).body.label;
    const named = await workspace.write.patch(`/labels/${label.id}`, { name: 'Receipts' });
    expect(named).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
    for (const id of [other.id, 'lbl_unknown', (await create(theirs)).id]) {
      const answer = await workspace.write.patch(`/labels/${id}`, { name: 'Invoices' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
    }
    for (const change of [{ color: 'Blue' }, { name: 'INVOICES' }]) {
      expect((await workspace.write.patch(`/labels/${label.id}`, change)).status).toBe(200);
    }
    expect((await workspace.send.patch(`/labels/${label.id}`, { name: 'Receipts' })).status).toBe(200);
  });

  it('400 INVALID_TAG for an AI label', async () => {
    const labelId = await storeAiLabel(stack, mine.id, 'Clever to patch');
    const answer = await mine.write.patch(`/labels/${labelId}`, { color: 'Red' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'INVALID_TAG' } });
  });

  it('404 LABEL_NOT_FOUND for unknown and foreign alike', async () => {
    const foreign = await create(theirs);
    for (const id of ['lbl_unknown', foreign.id]) {
      const answer = await mine.write.patch(`/labels/${id}`, { color: 'Red' });
      expect(answer).toMatchObject({ status: 404, body: { code: 'LABEL_NOT_FOUND' } });
    }
  });

  it('409 DUPLICATE_TAG_NAME when another label has the name', async () => {
    const [one, other] = [await create(), await create()];
    const answer = await mine.write.patch(`/labels/${one.id}`, { name: other.name.toUpperCase() });
    expect(answer).toMatchObject({ status: 409, body: { code: 'DUPLICATE_TAG_NAME' } });
  });
});

describe('DELETE /labels/{labelId}', () => {
  it('204 without a body, 404 LABEL_NOT_FOUND from then on, and the name is free', async () => {
    const label = await create();
    const answer = await mine.write.delete(`/labels/${label.id}`);
    expect([answer.status, answer.body]).toEqual([204, undefined]);
    expect(await mine.write.delete(`/labels/${label.id}`)).toMatchObject({
      status: 404,
      body: { code: 'LABEL_NOT_FOUND' },
    });
    expect((await mine.read.get(`/labels/${label.id}`)).status).toBe(404);
    expect((await mine.write.post('/labels', { name: label.name, color: 'Red' })).status).toBe(201);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission when an active forward rule names it', async () => {
    const workspace = await forwardingBy('Invoices');
    const label = (await workspace.send.post('/labels', { name: 'INVOICES', color: 'Red' })).body.label;
    expect(await workspace.write.delete(`/labels/${label.id}`)).toMatchObject({
      status: 403,
      body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' },
    });
    expect((await workspace.send.delete(`/labels/${label.id}`)).status).toBe(204);
  });

  it('400 INVALID_TAG for an AI label, which stays', async () => {
    const labelId = await storeAiLabel(stack, mine.id, 'Clever to delete');
    expect(await mine.write.delete(`/labels/${labelId}`)).toMatchObject({ status: 400, body: { code: 'INVALID_TAG' } });
    expect((await mine.read.get(`/labels/${labelId}`)).status).toBe(200);
  });

  it('404 LABEL_NOT_FOUND for a foreign label, which stays', async () => {
    const foreign = await create(theirs);
    expect(await mine.write.delete(`/labels/${foreign.id}`)).toMatchObject({
      status: 404,
      body: { code: 'LABEL_NOT_FOUND' },
    });
    expect((await theirs.read.get(`/labels/${foreign.id}`)).status).toBe(200);
  });

  it('403 INSUFFICIENT_SCOPE with a key that only reads', async () => {
    const label = await create();
    expect((await mine.read.delete(`/labels/${label.id}`)).body.code).toBe('INSUFFICIENT_SCOPE');
  });
});
