import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ActivityAnswer } from '@postroom/app/answers';
import { type AppPeople, openAppPeople } from '../support/app-client.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { useStack } from '../support/use-stack.ts';

type Person = Awaited<ReturnType<AppPeople['joined']>>;

const stack = useStack({ beside: ['app'] });
let people: AppPeople;
let workspace: TestWorkspace;
let owner: Person;
let emailIds: string[];
let path: string;

beforeAll(async () => void (people = await openAppPeople(stack)));
beforeEach(async () => {
  workspace = await stack.workspace();
  owner = await people.joined(workspace.id, 'owner');
  emailIds = await workspace.ingest((await workspace.connectMailbox()).id, [{ subject: 'one' }, { subject: 'two' }]);
  const body = { name: 'Invoices', color: 'Red', condition: 'The email is an invoice' };
  const { rule } = (await owner.call('POST', `${owner.workspace}/ai-label-rules`, { body })).json;
  path = `${owner.workspace}/ai-label-rules/${rule.id}`;
});
afterAll(() => people.close());

const set = (emailId = '', applies: unknown = true, by: Person = owner) =>
  by.call('PUT', `${path}/expected-verdicts/${emailId}`, { body: { applies } });
const list = async () => (await owner.call('GET', `${path}/expected-verdicts`)).json.items;

describe('the regression set of a rule', () => {
  it('keeps the last verdict for each email, changes nothing else of the rule, and forgets what is removed', async () => {
    const rule = (await owner.call('GET', path)).json;
    const [one, two] = emailIds;
    expect([(await set(one)).status, (await set(two)).status, (await set(one, false)).status]).toEqual([204, 204, 204]);
    expect(await list()).toMatchObject([
      { emailId: one, applies: false, email: { emailId: one, subject: 'one', from: expect.anything() } },
      { emailId: two, applies: true, email: { subject: 'two' } },
    ]);
    expect((await owner.call('GET', path)).json).toEqual(rule);
    expect((await owner.call('DELETE', `${path}/expected-verdicts/${one}`)).status).toBe(204);
    await stack.collections.emails.deleteOne({ _id: two });
    expect(await list()).toEqual([{ emailId: two, applies: true, email: null }]);
    const { items } = (await owner.call('GET', `${owner.workspace}/activity`)).json as { items: ActivityAnswer[] };
    expect(items.map(({ action }) => action)).toContain('ai_rule.expected_verdict_set');
  });

  it('goes with its rule: 404 afterwards', async () => {
    await set(emailIds[0]);
    await owner.call('DELETE', path);
    expect((await owner.call('GET', `${path}/expected-verdicts`)).json.code).toBe('RULE_NOT_FOUND');
    expect((await set(emailIds[0])).json.code).toBe('RULE_NOT_FOUND');
  });

  it('403 for a member, 404 for an email that is not there or of another workspace, 400 without a verdict', async () => {
    const member = await people.joined(workspace.id, 'member');
    expect((await set(emailIds[0], true, member)).status).toBe(403);
    expect((await member.call('GET', `${path}/expected-verdicts`)).status).toBe(403);
    const neighbour = await stack.workspace();
    const [foreign] = await neighbour.ingest((await neighbour.connectMailbox()).id, [{ subject: 'foreign' }]);
    expect((await set(foreign)).json.code).toBe('EMAIL_NOT_FOUND');
    expect((await set(emailIds[0], 'yes')).json.details).toHaveProperty('applies');
    expect(await list()).toEqual([]);
  });

  it('400 VALIDATION_FAILED at the hundred and first email, and an email of the set still changes', async () => {
    const expectedVerdicts = Array.from({ length: 99 }, (_, n) => ({ emailId: `eml_${n}`, applies: true }));
    await stack.collections.aiLabelRules.updateOne({ workspaceId: workspace.id }, { $set: { expectedVerdicts } });
    expect((await set(emailIds[0])).status).toBe(204);
    expect((await set(emailIds[1])).json.details).toHaveProperty('emailId');
    expect((await set(emailIds[0], false)).status).toBe(204);
    expect(await list()).toHaveLength(100);
  });
});
