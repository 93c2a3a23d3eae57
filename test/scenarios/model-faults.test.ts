import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { silentLog } from '@postroom/runtime/log';
import { eventually } from '../engines/eventually.ts';
import { addressesOf, commandLine } from '../support/command-line.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

type Reply = (response: ServerResponse) => void;

/** Of each subject: what the endpoint does with the calls about it, in their order; afterwards, and else, it answers. */
const faults = new Map<string, Reply[]>();
let endpoint: Server;
let bus: MemoryBus;
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
let ruleId: string;

const say =
  (content: unknown, more: object = {}): Reply =>
  (response) => {
    const message = { role: 'assistant', content: typeof content === 'string' ? content : JSON.stringify(content) };
    const choice = { index: 0, finish_reason: 'stop', message: { ...message, refusal: null, ...more } };
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ choices: [choice], usage: { prompt_tokens: 10, completion_tokens: 5 } }));
  };
const fail =
  (code: number, headers: Record<string, string> = {}): Reply =>
  (response) =>
    void response
      .writeHead(code, { 'content-type': 'application/json', ...headers })
      .end(JSON.stringify({ error: { message: 'no', type: 'x', code: null, param: null } }));
const cut: Reply = (response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"choices":[{"index":0,"mess', () => response.destroy());
};
const refuse = say(null, { refusal: 'I cannot help with that.' });

async function answer(body: string, response: ServerResponse): Promise<void> {
  const [system, user] = (JSON.parse(body) as { messages: { content: string }[] }).messages;
  const isReply = !system?.content.includes('\nRules:\n');
  const { subject } = (JSON.parse(user?.content ?? '') as { email: { subject: string } }).email;
  const fault = faults.get(isReply ? `reply ${subject}` : subject)?.shift();
  if (fault) return fault(response);
  const verdict = { rule_id: ruleId, applies: true, confidence: 90, reason: 'so' };
  return (isReply ? say({ reply: 'It costs ten.' }) : say({ verdicts: [verdict] }))(response);
}

beforeAll(async () => {
  endpoint = createServer((request, response) => {
    void (async () => {
      let body = '';
      for await (const chunk of request) body += String(chunk);
      await answer(body, response);
    })();
  });
  await new Promise<void>((resolve) => endpoint.listen(0, '127.0.0.1', resolve));
  const clock = shiftingClock({ times: 5 });
  bus = memoryBus({ clock, log: silentLog });
  const baseUrl = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/v1`;
  stack = await startStack({ bus, clock: behindGateway(clock), variables: { LLM_BASE_URL: baseUrl } });
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
  const rule = { name: 'Prices', color: 'Pink', condition: 'asks for a price', autoDraftEnabled: true };
  ruleId = (await workspace.write.post('/ai-label-rules', rule)).body.rule.id;
});
afterAll(async () => {
  await stack.close();
  await bus.close();
  endpoint.closeAllConnections();
  await new Promise((resolve) => endpoint.close(resolve));
});

interface End {
  isClassified: boolean;
  labels: number;
  drafts: number;
}

const endOf = async (id: string): Promise<End> => {
  const email = await stack.collections.emails.findOne({ _id: id }).lean();
  const drafts = await stack.collections.emails.countDocuments({ isDraft: true, inReplyTo: email?.messageId ?? '' });
  return { isClassified: Boolean(email?.classifiedAt), labels: email?.labelIds.length ?? 0, drafts };
};
const arrive = async (subject: string): Promise<string> => {
  const [id = ''] = await workspace.ingest(mailboxId, [{ subject, text: 'What does it cost?' }]);
  return id;
};
const ends = (id: string, end: Partial<End>) =>
  eventually(async () => expect(await endOf(id)).toMatchObject(end), 30_000);
const times = (count: number, reply: Reply) => Array.from({ length: count }, () => reply);

const whole = { isClassified: true, labels: 1, drafts: 1 };
const unlabelled = { isClassified: true, labels: 0, drafts: 0 };
const withoutReply = { isClassified: true, labels: 1, drafts: 0 };

describe('an email whose model fails', () => {
  const ways: [string, string, Reply[], End][] = [
    ['is classified late where it is unavailable', 'away', times(1, fail(503)), whole],
    [
      'is classified late where its connection breaks',
      'broken',
      times(1, (response) => void response.destroy()),
      whole,
    ],
    ['is classified late where it has too much to do', 'busy', times(1, fail(429, { 'retry-after': '1' })), whole],
    ['is classified late where its answer breaks off', 'half', [cut], whole],
    ['is classified where the second answer can be read', 'repaired', [say('no JSON')], whole],
    ['stays without a label where no answer can be read', 'garbled', times(2, say('{"verdicts":[{"rule')), unlabelled],
    ['stays without a label where it refuses', 'refused', [refuse], unlabelled],
    ['has its label where only the reply is refused', 'reply denied', [refuse], withoutReply],
    ['has its label where only the reply cannot be read', 'reply muddled', times(2, say('no JSON')), withoutReply],
    ['has its label where there is nothing to reply', 'reply empty', [say({ reply: ' ' })], withoutReply],
    ['has its reply late where the model goes away before it', 'reply gone', times(1, fail(503)), whole],
  ];
  const ids = new Map<string, string>();
  // Together, because some of them are tried again only after seconds.
  beforeAll(async () => {
    for (const [, about, replies] of ways) {
      faults.set(about, [...replies]);
      ids.set(about, await arrive(about.replace(/^reply /, '')));
    }
  });
  it.each(ways)('%s', async (_how, about, _replies, end) => {
    const id = ids.get(about) ?? '';
    await ends(id, { isClassified: true });
    expect(await endOf(id)).toEqual(end);
    expect(faults.get(about)).toEqual([]);
    expect(await stack.collections.deadLetters.countDocuments({ topic: 'email.received' })).toBe(0);
  });

  it('is quarantined with its cause after five attempts, holds up nobody, and is classified when it is retried', async () => {
    const { emails } = stack.collections;
    const poison = times(1_000, cut);
    faults.set('poison', poison);
    const id = await arrive('poison');
    const stored = async () => (await emails.findOne({ _id: id }).lean())?.classification;
    await eventually(async () => expect(await stored()).toMatchObject({ attempts: 1, notBefore: expect.any(Date) }));
    const other = await arrive('good');
    await ends(other, whole);
    // The pauses between attempts are minutes in all.
    await emails.updateOne(
      { _id: id },
      { $set: { 'classification.attempts': 4, 'classification.notBefore': new Date() } },
    );
    await eventually(async () =>
      expect(await stored()).toMatchObject({ attempts: 5, quarantinedAt: expect.any(Date) }),
    );
    const postroom = commandLine(addressesOf(stack));
    const { items } = await postroom.json('rules', 'quarantine', 'list', '--workspace', workspace.id);
    expect(items).toMatchObject([
      { emailId: id, attempts: 5, cause: expect.stringMatching(/terminated|closed|aborted/) },
    ]);
    expect((await postroom('rules', 'quarantine', 'list', '--workspace', workspace.id)).stdout).toContain(id);
    poison.length = 0;
    expect(await postroom.json('rules', 'quarantine', 'retry', '--workspace', workspace.id, id)).toEqual({
      retried: 1,
    });
    await ends(id, whole);
    expect(await stored()).toBeUndefined();
  }, 60_000);
});
