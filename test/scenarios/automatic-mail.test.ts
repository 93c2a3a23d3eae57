import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OutboundSendServiceDefinition } from '@postroom/proto/postroom/v1/outbound_send';
import { connect } from '@postroom/rpc/connect';
import type { Client } from '@postroom/rpc/definition';
import { createServiceContext } from '@postroom/runtime/service-context';
import { simpleParser } from 'mailparser';
import { eventually } from '../engines/eventually.ts';
import { storeAiLabel } from '../support/ai-label.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const context = createServiceContext({ name: 'rules', logLevel: 'silent' });
const RULE = 'rul_auto';
const SOON = 40_000;
let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let mailbox: Awaited<ReturnType<TestWorkspace['connectMailbox']>>;
let outbound: Client<OutboundSendServiceDefinition>;
let forwardRule: string;
let labelId: string;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  workspace = await stack.workspace();
  mailbox = await workspace.connectMailbox({ name: 'Ann Lee', email: 'bob@example.com' });
  outbound = connect(OutboundSendServiceDefinition, stack.addresses.OUTBOUND_SEND_ADDR, { context });
  const { body } = await workspace.send.post('/auto-forward-rules', {
    conditionField: 'subject_equals',
    conditionValue: 'asked for by this test alone',
    forwardTo: 'team@other.example',
  });
  forwardRule = body.rule.id;
  const now = new Date();
  labelId = await storeAiLabel(stack, workspace.id, 'Questions');
  await stack.collections.aiLabelRules.create([
    {
      _id: RULE,
      workspaceId: workspace.id,
      labelId,
      // Every reply is asked for by a test: the classifier knows nothing to say to a negation, and asks for none itself.
      condition: 'is not for the classifier',
      autoDraftEnabled: true,
      autoReplyEnabled: true,
      autoReplyConfidenceThreshold: 80,
      autoReplyDelayMinutes: 0,
      autoReplyNotifyOnSend: false,
      hideFromInbox: false,
      createdAt: now,
      updatedAt: now,
    },
  ]);
});
afterAll(async () => {
  await context.lifecycle.close();
  await stack.close();
  await sink.close();
});

let counter = 0;
async function arrived(extra: object = {}) {
  const subject = `Question ${++counter}`;
  const parts = {
    from: 'Bob <bob@other.example>',
    subject,
    text: 'What does it cost?',
    messageId: `<q${counter}@o.example>`,
  };
  const [id = ''] = await workspace.ingest(mailbox.id, [{ ...parts, ...extra }]);
  // As the classifier does: a reply whose label is taken off stays a draft.
  await workspace.write.post(`/emails/${id}/labels/${labelId}`);
  return { id, subject, messageId: parts.messageId };
}
const asked = (operationId: string) => ({ workspaceId: workspace.id, operationId });
const reply = (emailId: string, extra: object = {}) =>
  outbound.scheduleReply(
    {
      emailId,
      ruleId: RULE,
      text: 'It costs ten.',
      delayMinutes: 0,
      draftOnly: false,
      ruleUpdatedAt: undefined,
      ...extra,
    },
    asked(`reply:${emailId}`),
  );
async function forward(emailId: string, mode: string, forwardTo = 'team@other.example') {
  await workspace.send.patch(`/auto-forward-rules/${forwardRule}`, { forwardTo });
  const request = { emailId, ruleId: forwardRule, forwardTo, mode };
  return outbound.forwardEmail(request, asked(`forward:${emailId}:${forwardTo}`));
}
/** Waits until the log of the rule has an entry for the email, and returns it. */
const ended = (emailId: string, status = '') =>
  eventually(
    async () => {
      const { body } = await workspace.read.get(`/auto-forward-rules/${forwardRule}/logs`);
      const line = body.items.find((one: { emailId: string }) => one.emailId === emailId);
      expect(line).toMatchObject({ status: expect.stringContaining(status) });
      return line;
    },
    SOON,
    300,
  );
const emailOf = async (id: string) => (await workspace.read.get(`/emails/${id}`)).body.email;
const caughtWith = (text: string) => sink.caught.filter(({ raw }) => raw.includes(text));
const statusOf = (id: string, scheduledStatus: string) =>
  eventually(
    async () => {
      const email = await emailOf(id);
      expect(email).toMatchObject({ scheduledStatus });
      return email;
    },
    SOON,
    300,
  );

describe('a reply that a rule schedules', () => {
  it('goes out once as an automatic answer in its thread, and its draft becomes the sent email', async () => {
    const { id, subject, messageId } = await arrived();
    const { draftId } = await reply(id);
    const sent = await statusOf(draftId, 'sent');
    expect(await reply(id)).toEqual({ draftId });
    expect(sent).toMatchObject({ isAutoReply: true, isDraft: false, subject: `Re: ${subject}`, inReplyTo: messageId });
    expect(sent.threadId).toBe((await emailOf(id)).threadId);
    const [caught, ...more] = caughtWith(`Re: ${subject}`);
    expect(more).toEqual([]);
    expect(caught).toMatchObject({ from: mailbox.email, to: ['bob@other.example'] });
    expect(caught?.raw).toContain('Auto-Submitted: auto-replied');
    expect(caught?.raw).toMatch(/^X-Postroom-Loop: [0-9a-f]{32}\r?$/m);
    const inSent = await workspace.read.get(`/emails?folderType=SENT&limit=200`);
    const ids = inSent.body.items.map((item: { id: string }) => item.id);
    expect(ids.filter((one: string) => one === draftId)).toHaveLength(1);
  });

  it("goes out although a rule has forwarded the email: that is nobody's answer", async () => {
    // No rule of the workspace answers it: the reply below is the only one.
    const { id } = await arrived({ subject: 'Delivery', text: 'Here it is.' });
    await forward(id, 'normal');
    expect(await ended(id)).toMatchObject({ status: 'sent' });
    const { draftId } = await reply(id);
    await statusOf(draftId, 'sent');
    expect(caughtWith('Re: Delivery')).toHaveLength(1);
  });

  it('stays a draft, and says nothing of being automatic, where a person is to see it first', async () => {
    const { id, subject } = await arrived();
    const { draftId } = await reply(id, { draftOnly: true });
    const { draft } = (await workspace.read.get(`/drafts/${draftId}`)).body;
    expect(draft).toMatchObject({ source: 'auto_draft', ruleId: RULE, scheduledSendAt: null, scheduledStatus: null });
    expect(caughtWith(subject)).toEqual([]);
  });

  it('is canceled when somebody has answered meanwhile', async () => {
    const { id, subject, messageId } = await arrived();
    await workspace.ingest(mailbox.id, [
      { folderType: 'SENT', from: mailbox.email, inReplyTo: messageId, date: new Date(Date.now() + 60_000) },
    ]);
    const { draftId } = await reply(id);
    expect(await statusOf(draftId, 'canceled')).toMatchObject({ isDraft: true });
    expect(caughtWith(subject)).toEqual([]);
  });

  it('stays a draft where the email was thrown away before', async () => {
    const { id, subject } = await arrived();
    await workspace.write.delete(`/emails/${id}`);
    const { draftId } = await reply(id);
    expect(await emailOf(draftId)).toMatchObject({ isDraft: true, scheduledSendAt: null, scheduledStatus: null });
    expect(caughtWith(subject)).toEqual([]);
  });
});

describe('an email that a rule forwards', () => {
  it('goes out once under "Fwd:" with the original quoted, from the mailbox itself', async () => {
    const { id, subject } = await arrived();
    expect(await forward(id, 'normal')).toEqual({ status: 'queued', reason: undefined });
    expect(await forward(id, 'normal')).toEqual({ status: 'queued', reason: undefined });
    expect(await ended(id)).toMatchObject({ status: 'sent', reason: null, attempts: 1 });
    const [caught, ...more] = caughtWith(`Fwd: ${subject}`);
    expect(more).toEqual([]);
    expect(caught).toMatchObject({ from: mailbox.email, to: ['team@other.example'] });
    expect(caught?.raw).toContain('Auto-Submitted: auto-generated');
    expect(caught?.raw).toMatch(/^X-Postroom-Loop: [0-9a-f]{32}\r?$/m);
    expect((await simpleParser(caught?.raw ?? '')).text).toMatch(
      /From: Bob <bob@other.example>[\s\S]*What does it cost\?/,
    );
    const { items } = (await workspace.read.get('/emails?folderType=SENT&limit=200')).body;
    const [sent] = items.filter((item: { subject: string }) => item.subject === `Fwd: ${subject}`);
    expect(await emailOf(sent.id)).toMatchObject({ isAutoForward: true, isAutoReply: false });
  });

  it('goes out unchanged where nobody is to see it, and who answers it answers its author', async () => {
    const { id, subject } = await arrived();
    await forward(id, 'invisible');
    expect(await ended(id)).toMatchObject({ status: 'sent' });
    const parsed = await simpleParser(caughtWith(subject)[0]?.raw ?? '');
    expect(parsed).toMatchObject({ subject, replyTo: { text: '"Bob" <bob@other.example>' } });
    expect(parsed.text?.trim()).toBe('What does it cost?');
  });

  it.each([
    ['html and text', ['text/plain', 'text/html']],
    ['text alone', ['text/plain']],
    ['html alone', ['text/html']],
  ])('goes out with each character of its body where nobody is to see it: %s', async (_which, types) => {
    const bodies: Record<string, string> = {
      'text/plain': '  Grüße,\r\n\r\n> quoted\r\n.\r\n\ttab  two  \r\n-- \r\nBob \u{1f600}\r\n',
      'text/html':
        '<!doctype html><p style="color:red" onclick="x()">Gr&uuml;&szlig;e <b>x</b>&nbsp;</p>\r\n<img src="http://p.example/1.gif">\r\n',
    };
    const part = (type: string) => `--b\r\nContent-Type: ${type}; charset=utf-8\r\n\r\n${bodies[type]}`;
    const headers = { 'Content-Type': 'multipart/alternative; boundary=b', 'MIME-Version': '1.0' };
    const { id, subject } = await arrived({ headers, text: `${types.map(part).join('\r\n')}\r\n--b--` });
    await forward(id, 'invisible', `team@${types.length}${types[0]?.slice(5)}.example`);
    expect(await ended(id)).toMatchObject({ status: 'sent' });
    const raw = caughtWith(subject)[0]?.raw ?? '';
    const parsed = await simpleParser(raw, { skipTextToHtml: true, skipHtmlToText: true });
    const unix = (type: string) => (types.includes(type) ? bodies[type]?.replaceAll('\r\n', '\n') : undefined);
    const seen = { html: parsed.html || undefined, text: raw.includes('text/plain') ? parsed.text : undefined };
    expect(seen).toEqual({ html: unix('text/html'), text: unix('text/plain') });
  });

  it('is skipped where it would come back, and has failed where it was refused for good', async () => {
    const { id } = await arrived();
    const other = await workspace.connectMailbox({ aliases: ['Sales@acme.example'] });
    for (const own of [mailbox.email, other.email.toUpperCase(), 'sales@acme.example', 'Sales+later@acme.example'])
      expect((await forward(id, 'normal', own)).status).toBe('skipped');
    await forward(id, 'invisible', 'x@refuse.example');
    expect(await ended(id)).toMatchObject({ status: 'failed', reason: expect.stringContaining('no such user') });
  });

  it('is skipped where it has come back, although every mark of ours was taken off it on the way', async () => {
    const { id, subject } = await arrived();
    await forward(id, 'invisible');
    await ended(id, 'sent');
    const messageId = /^Message-ID: *(\S+)/im.exec(caughtWith(subject)[0]?.raw ?? '')?.[1];
    const { id: back } = await arrived({ subject, messageId, from: mailbox.email });
    expect(await forward(back, 'invisible')).toMatchObject({
      status: 'skipped',
      reason: expect.stringContaining('back'),
    });
    const { id: other } = await arrived({ subject, from: mailbox.email });
    expect(await forward(other, 'invisible')).toMatchObject({ status: 'queued' });
  });

  it('is tried again where the mail server says later, which its log tells with the reason', async () => {
    const { id } = await arrived();
    await forward(id, 'normal', 'x@defer.example');
    expect(await ended(id)).toMatchObject({
      status: 'failed',
      reason: expect.stringMatching(/try later.*; it is tried again$/),
      attempts: 1,
    });
  });

  it.each([
    ['the rule names another address', () => forward('eml_none', 'normal').catch(() => undefined), /another address/],
    [
      'the email is told to be spam',
      (_id: string) => stack.collections.emails.updateOne({ _id }, { $set: { folderType: 'SPAM' } }),
      /spam/,
    ],
  ])('goes nowhere any more when %s before it is tried again', async (_what, meanwhile, reason) => {
    const { id } = await arrived();
    await forward(id, 'normal', 'x@defer.example');
    await ended(id, 'failed');
    await meanwhile(id);
    await stack.collections.sends.updateOne({ sourceEmailId: id, kind: 'forward' }, { $set: { nextAt: new Date() } });
    expect(await ended(id, 'skipped')).toMatchObject({ reason: expect.stringMatching(reason) });
  });
});

describe('the copy of a sent email that the provider files', () => {
  it('is the email that was stored here, although it lacks Bcc', async () => {
    const body = { mailboxId: mailbox.id, to: [{ email: 'a@other.example' }], bcc: [{ email: 'b@other.example' }] };
    const { email } = (await workspace.send.post('/drafts/send', { ...body, subject: 'Filed', body: { text: 'x' } }))
      .body;
    const raw = Buffer.from(`Received: from here\r\n${caughtWith(email.messageId)[0]?.raw}`);
    const copy = { sourceKey: 'imap:1', raw, folderType: 'SENT', providerLabels: [], isRead: true, isStarred: false };
    const answer = await stack.mailboxWrite.ingest(
      { mailboxId: mailbox.id, messages: [{ ...copy, isHistory: false }] },
      { workspaceId: workspace.id },
    );
    expect(answer.outcomes).toMatchObject([{ outcome: 'known', emailId: email.id }]);
  });
});
