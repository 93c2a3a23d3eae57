import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { Event } from '@postroom/proto/postroom/v1/events';
import { silentLog } from '@postroom/runtime/log';
import { eventually } from '../engines/eventually.ts';
import { startFakeModel, type FakeModel } from '../support/fake-model.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const wordy = (): Promise<FakeModel> =>
  startFakeModel(({ rules, email }) => {
    const all = `${email.from} ${email.subject} ${email.text}`;
    const meant = rules.filter(({ condition }) => all.includes(condition));
    return meant.map(({ rule_id }) => ({ rule_id, applies: true, confidence: 100, reason: all.slice(0, 99) }));
  });

let model: FakeModel;
let bus: MemoryBus;
let stack: TestStack;

beforeAll(async () => {
  model = await wordy();
  // Some publishes fail, half of those after the bus took them in; a third of the deliveries comes again.
  const clock = shiftingClock({ times: 5 });
  bus = memoryBus({ clock, log: silentLog, faults: { seed: 14, drop: 0.15, repeat: 0.33 } });
  stack = await startStack({ bus, clock: behindGateway(clock), variables: { LLM_BASE_URL: model.baseUrl } });
});
afterAll(async () => {
  await stack.close();
  await bus.close();
  await model.close();
});

const ruleOf = async (workspace: TestWorkspace, condition: string) => {
  const answer = await workspace.write.post('/ai-label-rules', { name: condition, color: 'Pink', condition });
  return answer.body.rule as { id: string; label: { id: string } };
};
const tagsOf = async (workspace: TestWorkspace): Promise<Record<string, string[]>> => {
  const { items } = (await workspace.read.get('/emails?limit=200')).body;
  return Object.fromEntries(
    items.map(({ id, tags }: { id: string; tags: { id: string }[] }) => [id, tags.map((tag) => tag.id)]),
  );
};
const unclassified = (workspace: TestWorkspace) =>
  stack.collections.emails.countDocuments({ workspaceId: workspace.id, classifiedAt: { $exists: false } });
const pending = (workspace: TestWorkspace) =>
  stack.collections.emails.countDocuments({ workspaceId: workspace.id, owedSince: { $exists: true } });
const allClassified = (workspace: TestWorkspace) =>
  eventually(async () => expect([await unclassified(workspace), await pending(workspace)]).toEqual([0, 0]), 60_000);

/** Published labels of each email. An event that was published again counts once. */
function toldOf(type: 'label.applied' | 'email.classified', workspace: TestWorkspace): string[] {
  const events = new Map(bus.messagesIn(type).map(({ id, value }) => [id, Event.decode(value)]));
  const said = ({ workspaceId, data }: Event): string[] => {
    if (workspaceId !== workspace.id) return [];
    if (data?.$case === 'labelApplied') return [`${data.value.emailId} ${data.value.tagId}`];
    return data?.$case === 'emailClassified' ? [`${data.value.emailId} ${data.value.labelIds.join()}`] : [];
  };
  return [...events.values()].flatMap(said).sort();
}

describe('mail and the rules of its workspace, on a bus that loses and repeats', () => {
  it('is labelled by the rules that apply, and told of once', async () => {
    const workspace = await stack.workspace();
    const [invoices] = [await ruleOf(workspace, 'invoice'), await ruleOf(workspace, 'newsletter')];
    const mailbox = await workspace.connectMailbox();
    const mails = Array.from({ length: 16 }, (_, n) => ({ subject: n % 2 === 0 ? `An invoice ${n}` : `Lunch ${n}` }));
    const emailIds = await workspace.ingest(mailbox.id, mails);
    await allClassified(workspace);

    const expected = emailIds.map((id, n) => [id, n % 2 === 0 ? [invoices.label.id] : []] as const);
    expect(await tagsOf(workspace)).toEqual(Object.fromEntries(expected));
    const labelled = expected.filter(([, labels]) => labels.length > 0);
    expect(toldOf('label.applied', workspace)).toEqual(labelled.map(([id, [label]]) => `${id} ${label}`).sort());
    expect(toldOf('email.classified', workspace)).toEqual(
      expected.map(([id, [label]]) => `${id} ${label ?? ''}`).sort(),
    );
  });

  it('is classified without asking anybody where there is no rule', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const asked = model.prompts.length;
    const emailIds = await workspace.ingest(mailbox.id, [{ subject: 'An invoice' }]);
    await allClassified(workspace);
    expect(toldOf('email.classified', workspace)).toEqual([`${emailIds[0]} `]);
    expect(model.prompts).toHaveLength(asked);
  });
});
