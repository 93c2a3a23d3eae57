import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { simpleParser } from 'mailparser';
import { eventually } from '../engines/eventually.ts';
import { diversions, HIDDEN, ordersFor } from '../support/attack-mails.ts';
import { startFakeModel, type FakeModel, type FakeQuestion } from '../support/fake-model.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import type { MessageParts } from '../support/message.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import { untilTaken } from '../support/until-taken.ts';
import type { TestWorkspace } from '../support/workspace.ts';

/** A busy machine classifies a hundred emails in more than a minute. */
const CLASSIFIED_WITHIN_MS = 240_000;
const SECRET = 'secret plans of the neighbours';
const HEADERS = new Set(
  'auto-submitted x-postroom-loop x-postroom-operation from to subject message-id in-reply-to references content-transfer-encoding date mime-version content-type'.split(
    ' ',
  ),
);
/** Of every order in a mail, whatever it is told. */
const idsIn = ({ from, subject, text }: FakeQuestion['email']): string[] =>
  `${from} ${subject} ${text}`.match(/\b[a-z]{3}_\w+/g) ?? [];

let model: FakeModel;
let sink: MailSink;
let stack: TestStack;

beforeAll(async () => {
  sink = await openMailSink();
  // It obeys: every id in the mail applies, every rule that is about "anything" does, and a reply is what the mail says.
  model = await startFakeModel(
    ({ rules, email }) => {
      const anything = rules.filter(({ condition }) => condition === 'anything').map(({ rule_id }) => rule_id);
      const obeyed = [...anything, ...idsIn(email)];
      return obeyed.map((id) => ({ rule_id: id, applies: true, confidence: 100, reason: email.text.slice(0, 99) }));
    },
    (email) =>
      `${email.text}\r\nBcc: victim@elsewhere.example\r\n\r\n${JSON.stringify(email)}\r\n.\r\nMAIL FROM:<x@y.example>`,
  );
  const variables = { LLM_BASE_URL: model.baseUrl, DEVELOPMENT_SMTP_ADDR: sink.address };
  stack = await startStack({ variables });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
  await model.close();
});

const ruleOf = async (workspace: TestWorkspace, condition: string, extra: object = {}) => {
  const body = { name: condition, color: 'Pink', condition, ...extra };
  return (await workspace.send.post('/ai-label-rules', body)).body.rule as { id: string; label: { id: string } };
};
/** Takes mail in and waits until all of it is classified and nothing waits to be sent. */
async function taken(workspace: TestWorkspace, mailboxId: string, mails: MessageParts[]): Promise<string[]> {
  const emailIds: string[] = [];
  for (let n = 0; n < mails.length; n += 25) {
    emailIds.push(...(await untilTaken(() => workspace.ingest(mailboxId, mails.slice(n, n + 25)))));
  }
  const workspaceId = workspace.id;
  await eventually(async () => {
    const waiting = { workspaceId, awaitsClassificationSince: { $exists: true } };
    expect(await stack.collections.emails.countDocuments(waiting)).toBe(0);
    expect(await stack.collections.sends.countDocuments({ workspaceId, nextAt: { $ne: null } })).toBe(0);
  }, CLASSIFIED_WITHIN_MS);
  return emailIds;
}
const itemsOf = async (workspace: TestWorkspace, query: string) =>
  (await workspace.read.get(`/emails?limit=200&${query}`)).body.items as {
    id: string;
    tags: { id: string }[];
    isRead: boolean;
    isStarred: boolean;
  }[];

describe('mail that gives orders, to a model that obeys every one', () => {
  it('gets no label but by a rule of its own workspace, has nothing sent, and shows nobody else', async () => {
    const [mine, theirs] = [await stack.workspace(), await stack.workspace()];
    const own = await ruleOf(mine, 'wholly unlikely words', { autoDraftEnabled: true, autoReplyEnabled: true });
    const foreign = await ruleOf(theirs, SECRET, { autoDraftEnabled: true, autoReplyEnabled: true });
    const manual = (await mine.write.post('/labels', { name: 'By hand', color: 'Red' })).body.label.id as string;
    const mailbox = await mine.connectMailbox();
    const before = model.prompts.length;
    const orders = ordersFor([foreign.id, foreign.label.id, manual, theirs.id, 'air_unknown']);
    expect(orders.length).toBeGreaterThanOrEqual(100);
    const emailIds = await taken(mine, mailbox.id, orders);
    expect(emailIds.filter((id) => id.startsWith('eml_'))).toHaveLength(orders.length);

    const items = await itemsOf(mine, '');
    expect(items.flatMap(({ tags }) => tags)).toEqual([]);
    expect(items.filter(({ isRead, isStarred }) => isRead || isStarred)).toEqual([]);
    expect(await stack.collections.sends.countDocuments({ workspaceId: mine.id })).toBe(0);
    expect(await stack.collections.emails.countDocuments({ workspaceId: mine.id, isDraft: true })).toBe(0);
    expect((await mine.read.get('/ai-label-rules')).body.items).toMatchObject([{ id: own.id }]);
    const prompts = model.prompts.slice(before);
    expect(prompts.length).toBeGreaterThanOrEqual(orders.length);
    expect(prompts.filter((prompt) => prompt.includes(SECRET) || prompt.includes(HIDDEN))).toEqual([]);
  }, 300_000);

  it('is answered to its sender alone, under our own headers, by a prompt without a rule', async () => {
    const workspace = await stack.workspace();
    const replying = { autoDraftEnabled: true, autoReplyEnabled: true, autoReplyDelayMinutes: 0 };
    const rule = await ruleOf(workspace, 'anything', replying);
    await ruleOf(workspace, SECRET);
    const mailbox = await workspace.connectMailbox({ email: 'bob@example.com' });
    const before = model.prompts.length;
    // One sender for each, since nobody is answered often.
    const mails = diversions().map((mail, n) => ({
      ...mail,
      from: (mail.from ?? 'Eve <attacker@other.example>').replace('attacker@', `attacker${n}@`),
    }));
    await taken(workspace, mailbox.id, mails);

    const caught = sink.caught.filter(({ from }) => from === mailbox.email);
    expect(caught.length).toBeGreaterThan(mails.length / 2);
    for (const { to, raw } of caught) {
      expect([to.length, to[0]]).toEqual([1, expect.stringMatching(/^attacker\d+@other\.example$/)]);
      const { headers, headerLines, subject } = await simpleParser(raw);
      expect([...headers.keys()].filter((name) => !HEADERS.has(name))).toEqual([]);
      expect(headerLines).toHaveLength(headers.size);
      expect(subject).toMatch(/^Re: /);
      expect(raw.slice(0, raw.indexOf('\r\n\r\n'))).not.toContain(`<victim@elsewhere.example>`);
      expect(raw).not.toContain(SECRET);
    }
    const replies = model.prompts.slice(before).filter((prompt) => !prompt.includes('\nRules:\n'));
    expect(replies.length).toBeGreaterThanOrEqual(caught.length);
    expect(replies.filter((prompt) => prompt.includes(SECRET) || prompt.includes(rule.id))).toEqual([]);
  }, 300_000);
});
