import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityAnswer, CompiledConditionAnswer } from '@postroom/app/answers';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { useStack } from '../support/use-stack.ts';

type Person = Awaited<ReturnType<AppPeople['joined']>>;

const stack = useStack({ beside: ['app'] });
let people: AppPeople;
let workspace: TestWorkspace;
let owner: Person;
let mailboxId: string;
let rule: string;

beforeAll(async () => void (people = await openAppPeople(stack)));
beforeEach(async () => {
  workspace = await stack.workspace();
  owner = await people.joined(workspace.id, 'owner');
  mailboxId = (await workspace.connectMailbox()).id;
  const body = { name: 'Invoices', color: 'Red', condition: 'The email is an invoice' };
  rule = `/ai-label-rules/${(await owner.call('POST', `${owner.workspace}/ai-label-rules`, { body })).json.rule.id}`;
});
afterAll(() => people.close());

const path = (by = owner) => `${by.workspace}${rule}/compiled-condition`;
const read = async (by = owner) => (await by.call('GET', path(by))).json as CompiledConditionAnswer;
const set = (isCompiled: unknown, by = owner) => by.call('PUT', path(by), { body: { isCompiled } });

/** Invoices of one shop, classified one after the other. */
async function arrive(count: number) {
  const models: string[] = [];
  for (let n = 0; n < count; n += 1) {
    const mail = { subject: `Your invoice ${n}`, headers: { 'List-Id': '<bills.shop.example>' } };
    const [emailId = ''] = await workspace.ingest(mailboxId, [mail]);
    models.push(await modelOf(emailId));
  }
  return models;
}

async function modelOf(emailId: string): Promise<string> {
  for (;;) {
    const { items } = (await owner.call('GET', `${owner.workspace}${rule}/decisions`)).json;
    const decision = items.find((one: { emailId: string }) => one.emailId === emailId);
    if (decision) return decision.model as string;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

describe('a compiled condition', () => {
  it('is off at first, learns six emails of the model, and answers the next without it', async () => {
    expect(await read()).toEqual({ since: null, patterns: [] });
    expect((await set(true)).status).toBe(204);
    const { since } = await read();
    const models = await arrive(8);
    expect(new Set(models.slice(0, 6)).has('learned pattern')).toBe(false);
    expect(models.slice(6)).toEqual(['learned pattern', 'learned pattern']);
    const pattern = {
      subject: 'your invoice #',
      listId: 'bills.shop.example',
      mailboxId,
      answered: 2,
      isDropped: false,
    };
    expect(await read()).toMatchObject({ since, patterns: [{ ...pattern, applies: true }] });
    expect((await set(true)).status).toBe(204);
    expect((await read()).since).toBe(since);
    expect((await set(false)).status).toBe(204);
    expect(await read()).toEqual({ since: null, patterns: [] });
    const { items } = (await owner.call('GET', `${owner.workspace}/activity`)).json as { items: ActivityAnswer[] };
    expect(items.map(({ action }) => action)).toContain('ai_rule.compiled_condition_set');
  });

  it('is read and not switched by a member, and is 404 for another workspace, also with the id of the rule', async () => {
    const member = await people.joined(workspace.id, 'member');
    expect([(await set(true, member)).status, await read(member)]).toEqual([403, { since: null, patterns: [] }]);
    const stranger = await people.joined((await stack.workspace()).id, 'owner');
    const answers = await Promise.all([stranger.call('GET', path(stranger)), set(true, stranger)]);
    expect(answers.map(({ json }) => json.code)).toEqual(['RULE_NOT_FOUND', 'RULE_NOT_FOUND']);
    expect((await stranger.call('GET', path())).status).toBe(404);
    expect((await set('yes')).json.details).toHaveProperty('isCompiled');
    expect((await read()).since).toBeNull();
  });

  it('is not a field of the rule for clients of the API, and is gone with its rule', async () => {
    await set(true);
    const [listed] = (await workspace.read.get('/ai-label-rules')).body.items;
    expect(Object.keys(listed).filter((name) => /compiled/i.test(name))).toEqual([]);
    await owner.call('DELETE', `${owner.workspace}${rule}`);
    expect((await owner.call('GET', path())).json.code).toBe('RULE_NOT_FOUND');
    expect((await set(true)).json.code).toBe('RULE_NOT_FOUND');
  });
});
