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
/** Rules like this one, each with a label that nobody made. */
async function storeCopies(id: string, copies: number, more: object = {}): Promise<void> {
  const [made] = await stack.collections.aiLabelRules.find({ _id: id }).lean();
  const stored = Array.from({ length: copies }, (_, n) => ({
    ...made,
    ...more,
    _id: `${id}${n}`,
    labelId: `lbl_${n}`,
  }));
  await stack.collections.aiLabelRules.collection.insertMany(stored as never[]);
}
const labelNames = async (workspace: TestWorkspace) =>
  (await workspace.read.get('/labels')).body.items.map(({ name }: { name: string }) => name);

describe('POST /ai-label-rules', () => {
  it('201 with the whole rule and the usual settings; its label stands among the labels as an AI label', async () => {
    const answer = await mine.write.post(
      '/ai-label-rules',
      fields({ name: ' Invoices ', condition: ' asks for money ' }),
    );
    expect(answer.status).toBe(201);
    expect(answer.body).toEqual({
      rule: {
        id: expect.any(String),
        label: { id: expect.any(String), name: 'Invoices', color: 'Pink', isAiLabel: true },
        condition: 'asks for money',
        autoDraftEnabled: false,
        autoReplyEnabled: false,
        autoReplyConfidenceThreshold: 80,
        autoReplyDelayMinutes: 5,
        autoReplyNotifyOnSend: false,
        hideFromInbox: false,
        createdAt: expect.any(String),
        updatedAt: expect.any(String),
      },
    });
    const { id } = answer.body.rule.label;
    expect(await mine.read.get(`/labels/${id}`)).toMatchObject({ status: 200, body: { label: { isAiLabel: true } } });
  });

  it('201 with every setting as it was sent', async () => {
    const settings = {
      autoDraftEnabled: true,
      autoReplyEnabled: true,
      autoReplyConfidenceThreshold: 0,
      autoReplyDelayMinutes: 15,
      autoReplyNotifyOnSend: true,
      hideFromInbox: true,
    };
    const answer = await mine.send.post('/ai-label-rules', fields(settings));
    expect(answer).toMatchObject({ status: 201, body: { rule: settings } });
  });

  it.each([
    ['without a name', { name: undefined }, 'name'],
    ['with a name of 51 characters', { name: 'x'.repeat(51) }, 'name'],
    ['with a name that shows nothing', { name: '\u200b' }, 'name'],
    ['with a name that turns round what follows', { name: 'a\u202eb' }, 'name'],
    ['without a color', { color: undefined }, 'color'],
    ['without a condition', { condition: undefined }, 'condition'],
    ['with a blank condition', { condition: '   ' }, 'condition'],
    ['with a condition of 501 characters', { condition: 'x'.repeat(501) }, 'condition'],
    ['with a threshold of 101', { autoReplyConfidenceThreshold: 101 }, 'autoReplyConfidenceThreshold'],
    ['with a threshold that is no whole number', { autoReplyConfidenceThreshold: 0.5 }, 'autoReplyConfidenceThreshold'],
    ['with a delay of 16', { autoReplyDelayMinutes: 16 }, 'autoReplyDelayMinutes'],
    ['with a flag that is no boolean', { hideFromInbox: 'yes' }, 'hideFromInbox'],
    ['with a property it does not know', { surprise: 1 }, 'surprise'],
    ['with a property called constructor', { constructor: 1 }, 'constructor'],
    ['with auto-reply and no auto-draft', { autoReplyEnabled: true }, 'autoReplyEnabled'],
  ])('400 VALIDATION_FAILED %s', async (_what, more, field) => {
    const answer = await mine.send.post('/ai-label-rules', fields(more));
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toContain(field);
  });

  it('402 PLAN_REQUIRED for auto-draft without a subscription, and 201 without it', async () => {
    expect(await free.write.post('/ai-label-rules', fields({ autoDraftEnabled: true }))).toMatchObject({
      status: 402,
      body: { code: 'PLAN_REQUIRED' },
    });
    expect((await free.write.post('/ai-label-rules', fields())).status).toBe(201);
  });

  it('409 DUPLICATE_RULE when a label of either kind has the name, in any case, and leaves nothing behind', async () => {
    await mine.write.post('/labels', { name: 'By hand', color: 'Red' });
    await create({ name: 'By rule' });
    const before = (await mine.read.get('/ai-label-rules')).body.items.length;
    for (const name of ['BY HAND', 'by rule']) {
      const answer = await mine.write.post('/ai-label-rules', fields({ name }));
      expect(answer).toMatchObject({ status: 409, body: { code: 'DUPLICATE_RULE' } });
    }
    expect((await mine.read.get('/ai-label-rules')).body.items).toHaveLength(before);
    expect(await mine.write.post('/labels', { name: 'BY RULE', color: 'Red' })).toMatchObject({
      status: 409,
      body: { code: 'DUPLICATE_TAG_NAME' },
    });
  });

  it('409 DUPLICATE_RULE for all but one of twenty at once', async () => {
    const body = fields({ name: 'At once' });
    const answers = await Promise.all(Array.from({ length: 20 }, () => mine.write.post('/ai-label-rules', body)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ body: { code } }) => code === 'DUPLICATE_RULE')).toHaveLength(19);
  });

  it('201 again and one rule when it is repeated under its idempotency key', async () => {
    const body = fields({ name: 'Once' });
    const headers = { 'idempotency-key': 'rule-once' };
    const first = await mine.write.post('/ai-label-rules', body, { headers });
    const again = await mine.write.post('/ai-label-rules', body, { headers });
    expect(again).toMatchObject({ status: 201, body: first.body });
    expect((await labelNames(mine)).filter((name: string) => name === 'Once')).toHaveLength(1);
  });

  it('400 VALIDATION_FAILED that names the bound for the 101st', async () => {
    const workspace = await stack.workspace();
    await storeCopies((await create({}, workspace)).id, 99);
    const answer = await workspace.write.post('/ai-label-rules', fields());
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(JSON.stringify(answer.body.details)).toContain('100');
  });

  it('201 although a hundred were begun before whose label never came', async () => {
    const workspace = await stack.workspace();
    const { id } = await create({}, workspace);
    await storeCopies(id, 100, { createdAt: new Date(Date.now() - 3_600_000) });
    expect((await workspace.write.post('/ai-label-rules', fields())).status).toBe(201);
    expect((await workspace.read.get('/ai-label-rules')).body.items).toHaveLength(2);
  });
});

describe('GET /ai-label-rules', () => {
  it('200 with the rules in the order of their making and nothing beside items; none of another workspace', async () => {
    const workspace = await stack.workspace();
    const [first, second] = [await create({}, workspace), await create({}, workspace)];
    const { status, body } = await workspace.read.get('/ai-label-rules');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['items']);
    expect(body.items.map(({ id }: { id: string }) => id)).toEqual([first.id, second.id]);
  });
});

describe('GET /ai-label-rules/{ruleId}', () => {
  it('200 with the rule', async () => {
    const rule = await create();
    expect(await mine.read.get(`/ai-label-rules/${rule.id}`)).toMatchObject({ status: 200, body: { rule } });
  });

  it('404 RULE_NOT_FOUND for an unknown rule, and the same bytes for a foreign one', async () => {
    const foreign = await create({}, theirs);
    const unknown = await mine.read.get('/ai-label-rules/air_unknown');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    expect((await mine.read.get(`/ai-label-rules/${foreign.id}`)).body).toEqual(unknown.body);
  });
});

describe('PATCH /ai-label-rules/{ruleId}', () => {
  const patch = (id: string, body: object, workspace = mine) => workspace.send.patch(`/ai-label-rules/${id}`, body);

  it('200 with what changed and the rest as it was; the label follows', async () => {
    const rule = await create({ hideFromInbox: true });
    const answer = await patch(rule.id, { name: 'Renamed', color: 'Blue', condition: 'is a receipt' });
    expect(answer).toMatchObject({
      status: 200,
      body: { rule: { label: { name: 'Renamed', color: 'Blue' }, condition: 'is a receipt', hideFromInbox: true } },
    });
    expect(answer.body.rule.updatedAt > rule.updatedAt).toBe(true);
    expect(await labelNames(mine)).toContain('Renamed');
  });

  it('200 and auto-reply off with it when auto-draft is turned off, also without a subscription', async () => {
    const workspace = await stack.workspace();
    const rule = await create({ autoDraftEnabled: true, autoReplyEnabled: true }, workspace);
    await stack.collections.workspaces.updateOne({ _id: workspace.id }, { $set: { plan: 'free' } });
    const answer = await patch(rule.id, { autoDraftEnabled: false }, workspace);
    expect(answer).toMatchObject({
      status: 200,
      body: { rule: { autoDraftEnabled: false, autoReplyEnabled: false } },
    });
  });

  it.each([
    ['without a field', {}],
    ['with a property it does not know', { isActive: true }],
    ['with an empty name', { name: '' }],
    ['with auto-reply on and auto-draft off', { autoReplyEnabled: true, autoDraftEnabled: false }],
    ['with auto-reply on for a rule without auto-draft', { autoReplyEnabled: true }],
  ])('400 VALIDATION_FAILED %s', async (_what, body) => {
    const rule = await create();
    expect(await patch(rule.id, body)).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });

  it('402 PLAN_REQUIRED when auto-draft is turned on without a subscription', async () => {
    const rule = (await free.write.post('/ai-label-rules', fields())).body.rule;
    const answer = await free.write.patch(`/ai-label-rules/${rule.id}`, { autoDraftEnabled: true });
    expect(answer).toMatchObject({ status: 402, body: { code: 'PLAN_REQUIRED' } });
  });

  it('404 RULE_NOT_FOUND for an unknown and for a foreign rule', async () => {
    const foreign = await create({}, theirs);
    for (const id of ['air_unknown', foreign.id]) {
      expect(await patch(id, { condition: 'x' })).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    }
  });

  it('409 DUPLICATE_RULE for a name that is taken, and 200 for its own in other capitals', async () => {
    await create({ name: 'Taken' });
    const rule = await create({ name: 'Own' });
    expect(await patch(rule.id, { name: 'TAKEN' })).toMatchObject({ status: 409, body: { code: 'DUPLICATE_RULE' } });
    expect((await patch(rule.id, { name: 'OWN' })).status).toBe(200);
  });

  it('never leaves auto-reply without auto-draft, whatever is changed at the same time', async () => {
    const rule = await create({ autoDraftEnabled: true });
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        patch(rule.id, n % 2 ? { autoReplyEnabled: true } : { autoDraftEnabled: n % 4 === 0 }),
      ),
    );
    // Each change is made upon the others, or refused for what it asks: none is sent away for coming together.
    expect(answers.map(({ body }) => body.code)).not.toContain('CONFLICT');
    const { autoDraftEnabled, autoReplyEnabled } = (await mine.read.get(`/ai-label-rules/${rule.id}`)).body.rule;
    expect(autoReplyEnabled && !autoDraftEnabled).toBe(false);
  });
});

describe('DELETE /ai-label-rules/{ruleId}', () => {
  it('204, and the rule, its label and the name are free at once; emails lose it', async () => {
    const rule = await create({ name: 'Short-lived' });
    const mailbox = await mine.connectMailbox();
    const [emailId = ''] = await mine.ingest(mailbox.id, [{ subject: 'labelled' }]);
    await mine.write.post(`/emails/${emailId}/labels/${rule.label.id}`);
    expect((await mine.write.delete(`/ai-label-rules/${rule.id}`)).status).toBe(204);
    expect((await mine.read.get(`/ai-label-rules/${rule.id}`)).status).toBe(404);
    expect((await mine.read.get(`/labels/${rule.label.id}`)).status).toBe(404);
    expect((await mine.read.get(`/emails?mailboxId=${mailbox.id}`)).body.items[0].tags).toEqual([]);
    expect((await mine.write.post('/ai-label-rules', fields({ name: 'Short-lived' }))).status).toBe(201);
  });

  it('404 RULE_NOT_FOUND for an unknown, a foreign and a deleted rule', async () => {
    const foreign = await create({}, theirs);
    const gone = await create();
    await mine.write.delete(`/ai-label-rules/${gone.id}`);
    for (const id of ['air_unknown', foreign.id, gone.id]) {
      const answer = await mine.write.delete(`/ai-label-rules/${id}`);
      expect(answer).toMatchObject({ status: 404, body: { code: 'RULE_NOT_FOUND' } });
    }
  });
});
