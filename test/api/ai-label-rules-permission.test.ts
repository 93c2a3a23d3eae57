import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const stack = useStack();
let mine: TestWorkspace;
let theirs: TestWorkspace;
let free: TestWorkspace;

beforeAll(async () => {
  [mine, theirs] = [await stack.workspace(), await stack.workspace()];
  free = await stack.workspace({ plan: 'free' });
});

let count = 0;
const fields = (more: object = {}) => ({
  name: `Rule ${(count += 1)}`,
  color: 'Pink',
  condition: 'the email is an invoice',
  ...more,
});
const create = async (more: object = {}, workspace = mine) =>
  (await workspace.send.post('/ai-label-rules', fields(more))).body.rule as {
    id: string;
    label: { id: string; name: string };
    updatedAt: string;
  };
/** A workspace in which an active rule forwards by this label. */
async function forwardingBy(conditionValue: string, within?: TestWorkspace) {
  const workspace = within ?? (await stack.workspace());
  const answer = await workspace.send.post('/auto-forward-rules', { conditionValue, forwardTo: 'books@b.example' });
  expect(answer.status).toBe(201);
  return workspace;
}
const NOT_ALLOWED = { status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } };

describe('POST /ai-label-rules', () => {
  it('403 OUTBOUND_SEND_NOT_ALLOWED for auto-reply without the permission, whatever the plan', async () => {
    for (const workspace of [mine, free]) {
      const body = fields({ autoDraftEnabled: true, autoReplyEnabled: true });
      const answer = await workspace.write.post('/ai-label-rules', body);
      expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
    }
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission for a name that an active forward rule names, whatever the plan', async () => {
    const workspace = await forwardingBy('Invoices');
    const body = fields({ name: ' iNVOICES', condition: 'it is an email', autoDraftEnabled: true });
    expect(await workspace.write.post('/ai-label-rules', body)).toMatchObject(NOT_ALLOWED);
    await stack.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'free' } });
    expect(await workspace.write.post('/ai-label-rules', body)).toMatchObject(NOT_ALLOWED);
  });
});

describe('PATCH /ai-label-rules/{ruleId}', () => {
  const patch = (id: string, body: object, workspace = mine) => workspace.send.patch(`/ai-label-rules/${id}`, body);

  it('403 OUTBOUND_SEND_NOT_ALLOWED when auto-reply is turned on without the permission', async () => {
    const rule = await create({ autoDraftEnabled: true });
    const answer = await mine.write.patch(`/ai-label-rules/${rule.id}`, { autoReplyEnabled: true });
    expect(answer).toMatchObject({ status: 403, body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' } });
  });

  it.each([
    ['its condition', { condition: 'it is an email' }],
    ['its threshold', { autoReplyConfidenceThreshold: 0 }],
    ['its delay', { autoReplyDelayMinutes: 0 }],
    ['its name', { name: 'Whatever comes' }],
    ['its color', { color: 'Blue' }],
  ])('403 OUTBOUND_SEND_NOT_ALLOWED without the permission for a rule that replies: %s', async (_what, change) => {
    const rule = await create({ autoDraftEnabled: true, autoReplyEnabled: true });
    expect(await mine.write.patch(`/ai-label-rules/${rule.id}`, change)).toMatchObject(NOT_ALLOWED);
    expect((await mine.read.get(`/ai-label-rules/${rule.id}`)).body.rule).toEqual(rule);
    expect((await patch(rule.id, change)).status).toBe(200);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED before 402, and 200 for turning auto-reply off without the permission', async () => {
    const workspace = await stack.workspace();
    const rule = await create({ autoDraftEnabled: true, autoReplyEnabled: true }, workspace);
    await stack.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'free' } });
    const path = `/ai-label-rules/${rule.id}`;
    expect(await workspace.write.patch(path, { autoDraftEnabled: true })).toMatchObject(NOT_ALLOWED);
    expect(await workspace.write.patch('/ai-label-rules/air_unknown', { autoDraftEnabled: true })).toMatchObject({
      status: 402,
    });
    expect((await workspace.write.patch(path, { autoReplyEnabled: false, condition: 'a receipt' })).status).toBe(200);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission for the name and the condition that a forward rule waits for', async () => {
    const workspace = await stack.workspace();
    const [named, other] = [await create({ name: 'Invoices' }, workspace), await create({}, workspace)];
    await forwardingBy('INVOICES', workspace);
    const path = `/ai-label-rules/${named.id}`;
    expect(await workspace.write.patch(path, { name: 'Receipts' })).toMatchObject(NOT_ALLOWED);
    expect(await workspace.write.patch(path, { condition: 'it is an email' })).toMatchObject(NOT_ALLOWED);
    for (const id of [other.id, 'air_unknown', (await create({}, theirs)).id]) {
      const answer = await workspace.write.patch(`/ai-label-rules/${id}`, { name: 'Invoices' });
      expect(answer).toMatchObject(NOT_ALLOWED);
    }
    expect((await workspace.write.patch(path, { name: 'INVOICES', hideFromInbox: true })).status).toBe(200);
    expect((await patch(named.id, { name: 'Receipts', condition: 'a receipt' }, workspace)).status).toBe(200);
  });
});

describe('DELETE /ai-label-rules/{ruleId}', () => {
  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission when an active forward rule names its label', async () => {
    const workspace = await stack.workspace();
    const rule = await create({ name: 'Invoices' }, workspace);
    await forwardingBy('invoices', workspace);
    expect(await workspace.write.delete(`/ai-label-rules/${rule.id}`)).toMatchObject(NOT_ALLOWED);
    expect((await workspace.read.get(`/ai-label-rules/${rule.id}`)).status).toBe(200);
    expect((await workspace.send.delete(`/ai-label-rules/${rule.id}`)).status).toBe(204);
  });
});
