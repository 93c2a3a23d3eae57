import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;

beforeAll(async () => {
  [mine, theirs] = [await stack.workspace(), await stack.workspace()];
});

const fields = { conditionValue: 'Invoices', forwardTo: 'books@accounting.example' };
const create = async (more: object = {}, workspace = mine) =>
  (await workspace.send.post('/auto-forward-rules', { ...fields, ...more })).body.rule as { id: string };
const unreachable = async (workspace: TestWorkspace) => [(await create({}, workspace)).id, 'afr_unknown'];

describe('POST /auto-forward-rules', () => {
  it('201 with the whole rule and the usual settings', async () => {
    const answer = await mine.send.post('/auto-forward-rules', fields);
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      rule: {
        id: expect.any(String),
        conditionField: 'label',
        ...fields,
        mode: 'normal',
        isActive: true,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
  });

  it('201 with every field as it was sent', async () => {
    const body = { ...fields, conditionField: 'subject_contains', mode: 'invisible', isActive: false };
    expect(await mine.send.post('/auto-forward-rules', body)).toMatchObject({ status: 201, body: { rule: body } });
  });

  it.each([
    ['without a condition', { conditionValue: undefined }, 'conditionValue'],
    ['with an empty condition', { conditionValue: ' ' }, 'conditionValue'],
    ['with a condition of 256 characters', { conditionValue: 'x'.repeat(256) }, 'conditionValue'],
    ['without a destination', { forwardTo: undefined }, 'forwardTo'],
    ['with two destinations', { forwardTo: 'a@b.example, c@d.example' }, 'forwardTo'],
    ['with a header in the destination', { forwardTo: 'a@b.example\r\nBcc: c@d.example' }, 'forwardTo'],
    ['with a destination of 256 characters', { forwardTo: `${'a'.repeat(246)}@b.example` }, 'forwardTo'],
    ['with an unknown field', { conditionField: 'body' }, 'conditionField'],
    ['with an unknown mode', { mode: 'loud' }, 'mode'],
    ['with a property it does not know', { id: 'x' }, 'id'],
  ])('400 VALIDATION_FAILED %s', async (_what, more, field) => {
    const answer = await mine.send.post('/auto-forward-rules', { ...fields, ...more });
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toContain(field);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission', async () => {
    const answer = await mine.write.post('/auto-forward-rules', fields);
    expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
  });

  it('201 again and one rule when it is repeated under its idempotency key', async () => {
    const workspace = await stack.workspace();
    const headers = { 'idempotency-key': 'forward-once' };
    const first = await workspace.send.post('/auto-forward-rules', fields, { headers });
    const again = await workspace.send.post('/auto-forward-rules', fields, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect((await workspace.read.get('/auto-forward-rules')).body.items).toHaveLength(1);
  });

  it('400 VALIDATION_FAILED that names the bound for the 201st', async () => {
    const workspace = await stack.workspace();
    const { id } = await create({}, workspace);
    const [made] = await stack.collections.autoForwardRules.find({ _id: id }).lean();
    const others = Array.from({ length: 199 }, (_, n) => ({ ...made, _id: `${id}${n}` }));
    await stack.collections.autoForwardRules.collection.insertMany(others as never[]);
    const answer = await workspace.send.post('/auto-forward-rules', fields);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(answer.body.details)).toContain('200');
  });
});

describe('GET /auto-forward-rules', () => {
  it('200 with the rules in the order of their making and nothing beside items', async () => {
    const workspace = await stack.workspace();
    const [first, second] = [await create({}, workspace), await create({}, workspace)];
    const { status, body } = await workspace.read.get('/auto-forward-rules');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  });
});

describe('GET /auto-forward-rules/{ruleId}', () => {
  it('200 with the rule', async () => {
    const rule = await create();
    expect(await mine.read.get(`/auto-forward-rules/${rule.id}`)).toMatchObject({ status: 200, body: { rule } });
  });

  it('404 RULE_NOT_FOUND for an unknown rule, and the same bytes for a foreign one', async () => {
    const [foreign, unknown] = await unreachable(theirs);
    const answers = [
      await mine.read.get(`/auto-forward-rules/${unknown}`),
      await mine.read.get(`/auto-forward-rules/${foreign}`),
    ];
    expect(answers[0]).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    expect(answers[1]?.body).toEqual(answers[0]?.body);
  });
});

describe('PATCH /auto-forward-rules/{ruleId}', () => {
  it('200 with what changed and the rest as it was', async () => {
    const { id } = await create();
    const change = { isActive: false, forwardTo: 'other@accounting.example' };
    const answer = await mine.send.patch(`/auto-forward-rules/${id}`, change);
    expect(answer).toMatchObject({ status: 200, body: { rule: { ...fields, ...change, mode: 'normal' } } });
  });

  it.each([
    ['without a field', {}],
    ['with an emptied condition', { conditionValue: '' }],
    ['with an emptied destination', { forwardTo: '' }],
    ['with a property it does not know', { name: 'x' }],
  ])('400 VALIDATION_FAILED %s', async (_what, body) => {
    const { id } = await create();
    const answer = await mine.send.patch(`/auto-forward-rules/${id}`, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission', async () => {
    const { id } = await create();
    const answer = await mine.write.patch(`/auto-forward-rules/${id}`, { isActive: false });
    expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
  });

  it('404 RULE_NOT_FOUND for an unknown and for a foreign rule', async () => {
    for (const id of await unreachable(theirs)) {
      const answer = await mine.send.patch(`/auto-forward-rules/${id}`, { isActive: false });
      expect(answer).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    }
  });
});

describe('DELETE /auto-forward-rules/{ruleId}', () => {
  it('204, and the rule is gone', async () => {
    const { id } = await create();
    expect((await mine.send.delete(`/auto-forward-rules/${id}`)).status).toBe(204);
    expect((await mine.read.get(`/auto-forward-rules/${id}`)).status).toBe(404);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission', async () => {
    const { id } = await create();
    const answer = await mine.write.delete(`/auto-forward-rules/${id}`);
    expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
  });

  it('404 RULE_NOT_FOUND for an unknown and for a foreign rule', async () => {
    for (const id of await unreachable(theirs)) {
      const answer = await mine.send.delete(`/auto-forward-rules/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    }
  });
});

describe('GET /auto-forward-rules/{ruleId}/logs', () => {
  it('200 with each email once as it stands now, newest first, as many as asked for', async () => {
    const { id: ruleId } = await create();
    const report = { ruleId, forwardTo: fields.forwardTo, mode: 'normal', reason: undefined };
    const record = (emailId: string, status: string, attempts: number, reason?: string) =>
      stack.labelRule.recordForward({ ...report, emailId, status, attempts, reason }, { workspaceId: mine.id });
    await record('eml_1', 'failed', 1, 'the server was unavailable');
    // An hour passes.
    const createdAt = new Date(Date.now() - 3_600_000);
    const { autoForwardLogs } = stack.collections;
    await autoForwardLogs.updateOne({ workspaceId: mine.id, ruleId, emailId: 'eml_1' }, { $set: { createdAt } });
    await record('eml_2', 'skipped', 1, 'it was forwarded before');
    await record('eml_1', 'sent', 2);
    const { status, body } = await mine.read.get(`/auto-forward-rules/${ruleId}/logs`);
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items.map(({ emailId }: { emailId: string }) => emailId)).toEqual(['eml_2', 'eml_1']);
    expect(body.items[1]).toEqual({
      id: expect.any(String),
      ruleId,
      emailId: 'eml_1',
      forwardTo: fields.forwardTo,
      mode: 'normal',
      status: 'sent',
      reason: null,
      attempts: 2,
      createdAt: createdAt.toISOString(),
    });
    const { items } = (await mine.read.get(`/auto-forward-rules/${ruleId}/logs?limit=1`)).body;
    expect(items).toMatchObject([{ emailId: 'eml_2' }]);
  });

  it('keeps each line for ninety days after its first attempt', async () => {
    const { id: ruleId } = await create();
    const line = { ruleId, emailId: 'eml_1', forwardTo: fields.forwardTo, mode: 'normal', status: 'sent', attempts: 1 };
    await stack.labelRule.recordForward({ ...line, reason: undefined }, { workspaceId: mine.id });
    const kept = await stack.collections.autoForwardLogs.findOne({ workspaceId: mine.id, ruleId }).lean();
    expect(Number(kept?.expiresAt) - Number(kept?.createdAt)).toBe(90 * 86_400_000);
  });

  it('404 RULE_NOT_FOUND for an unknown and for a foreign rule', async () => {
    for (const id of await unreachable(theirs)) {
      const answer = await mine.read.get(`/auto-forward-rules/${id}/logs`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    }
  });
});
