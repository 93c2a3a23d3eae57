import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { memoryBus, type MemoryBus } from '@postroom/events/memory-bus';
import { Event } from '@postroom/proto/postroom/v1/events';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { simpleParser } from 'mailparser';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let bus: MemoryBus;
let stack: TestStack;
let workspace: TestWorkspace;
let mailbox: Awaited<ReturnType<TestWorkspace['connectMailbox']>>;
beforeAll(async () => {
  sink = await openMailSink();
  bus = memoryBus({ clock: systemClock, log: silentLog });
  stack = await startStack({ bus, variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  workspace = await stack.workspace();
  mailbox = await workspace.connectMailbox({ name: 'Ann Lee', aliases: ['sales@example.com'] });
});
afterAll(async () => {
  await stack.close();
  await sink.close();
  await bus.close();
});

let counter = 0;
/** A message of its own for each test, told from others by its subject. */
const message = (extra: object = {}) => ({
  mailboxId: mailbox.id,
  to: [{ email: 'bob@other.example', name: 'Bob' }],
  subject: `Letter ${++counter}`,
  body: { text: 'Can we meet on Tuesday?' },
  ...extra,
});
const send = (body: object, headers = {}) => workspace.send.post('/drafts/send', body, { headers });
const caughtOf = ({ subject }: { subject: string }) => sink.caught.filter(({ raw }) => raw.includes(subject));
const sentOf = async ({ subject }: { subject: string }) =>
  (await workspace.read.get('/emails?folderType=SENT&limit=200')).body.items.filter(
    (email: { subject: string }) => email.subject === subject,
  );

describe('POST /drafts/send', () => {
  it('200 with the email as it stands in Sent; the mail server has it once, with Bcc in the envelope alone', async () => {
    const asked = message({
      cc: [{ email: 'cy@other.example' }],
      bcc: [{ email: 'di@other.example' }],
      body: { html: '<p>Can we meet on <b>Tuesday</b>?</p>' },
    });
    const answer = await send(asked);
    expect(answer).toMatchObject({
      status: 200,
      body: {
        email: {
          mailboxId: mailbox.id,
          from: { email: mailbox.email, name: 'Ann Lee' },
          to: [{ email: 'bob@other.example', name: 'Bob' }],
          bcc: [{ email: 'di@other.example', name: null }],
          subject: asked.subject,
          snippet: 'Can we meet on Tuesday?',
          isDraft: false,
          isRead: true,
          waitingForReply: true,
          isAutoReply: false,
          isAutoForward: false,
        },
      },
    });
    const [caught, ...more] = caughtOf(asked);
    expect(more).toEqual([]);
    expect(caught).toMatchObject({
      from: mailbox.email,
      to: ['bob@other.example', 'cy@other.example', 'di@other.example'],
    });
    const parsed = await simpleParser(caught?.raw ?? '');
    expect(parsed).toMatchObject({ subject: asked.subject, messageId: answer.body.email.messageId });
    expect(parsed.text).toContain('Can we meet on Tuesday?');
    expect(caught?.raw).not.toContain('di@other.example');
    expect((await sentOf(asked)).map(({ id }: { id: string }) => id)).toEqual([answer.body.email.id]);
    expect((await workspace.read.get('/drafts?limit=200')).body.items).toEqual([]);
  });

  it('200 with the snippet of the text, and no answer awaited where only the signature asks', async () => {
    const signed = { workspaceId: workspace.id, name: 'Asks', html: '<p>Shall we talk?</p>', isDefault: false };
    const { id: signature } = await stack.workspaces.createSignature(signed, {});
    const asked = message({ signature, body: { text: 'Here it is.', html: '<p>Here <i>it</i> is, in full.</p>' } });
    const { email } = (await send(asked)).body;
    expect(email).toMatchObject({ snippet: 'Here it is.', waitingForReply: false });
    expect(await sentOf(asked)).toMatchObject([{ id: email.id, snippet: 'Here it is.', waitingForReply: false }]);
  });

  it('200 and the event draft.sent, once, by identifiers', async () => {
    const asked = message();
    const { email } = (await send(asked)).body;
    const told = async () =>
      bus.messagesIn('draft.sent').filter(({ value }) => {
        const { data } = Event.decode(value);
        return data?.$case === 'draftSent' && data.value.messageId === email.messageId;
      });
    while ((await told()).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    const [one, ...more] = await told();
    expect(more).toEqual([]);
    expect(Event.decode(one?.value ?? new Uint8Array()).data?.value).toEqual({
      mailboxId: mailbox.id,
      messageId: email.messageId,
      threadId: email.threadId,
      to: ['bob@other.example'],
      subject: asked.subject,
    });
  });

  it('200 in the thread of the email that it answers', async () => {
    const [id] = await workspace.ingest(mailbox.id, [{ messageId: '<q1@x.example>', subject: 'Question' }]);
    const { threadId } = (await workspace.read.get(`/emails/${id}`)).body.email;
    const asked = message({ inReplyTo: '<q1@x.example>' });
    expect((await send(asked)).body.email).toMatchObject({ threadId, references: ['<q1@x.example>'] });
    const parsed = await simpleParser(caughtOf(asked)[0]?.raw ?? '');
    expect(parsed).toMatchObject({ inReplyTo: '<q1@x.example>', references: '<q1@x.example>' });
  });

  it('200 from a verified alias, which the envelope has as well', async () => {
    const asked = message({ from: 'sales@example.com' });
    expect((await send(asked)).body.email.from.email).toBe('sales@example.com');
    expect(caughtOf(asked)[0]?.from).toBe('sales@example.com');
  });

  it('200 where one recipient of two is refused', async () => {
    const asked = message({ to: [{ email: 'bob@other.example' }, { email: 'x@refuse.example' }] });
    expect((await send(asked)).status).toBe(200);
    expect(caughtOf(asked)[0]?.to).toEqual(['bob@other.example']);
    const [kept] = await stack.collections.sends.find({ workspaceId: workspace.id, 'refused.0': { $exists: true } });
    expect(kept?.refused).toMatchObject([{ address: 'x@refuse.example', isFinal: true }]);
  });

  it('200 and one mail for twenty equal calls at once under one key', async () => {
    const asked = message();
    const headers = { 'Idempotency-Key': 'twenty' };
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(asked, headers)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 409]));
    expect(await send(asked, headers)).toMatchObject({ status: 200, body: { email: { subject: asked.subject } } });
    expect(caughtOf(asked)).toHaveLength(1);
    expect(await sentOf(asked)).toHaveLength(1);
  });

  it.each([
    ['every recipient is refused', { to: [{ email: 'x@refuse.example' }] }],
    ['every recipient is put off', { to: [{ email: 'x@defer.example' }] }],
    ['the message is refused', { body: { text: 'please reject' } }],
  ])('500 INTERNAL_ERROR that says why and that nothing was sent, when %s', async (_when, extra) => {
    const asked = message(extra);
    const answer = await send(asked);
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(answer.body.error).toMatch(/^Nothing was sent: .*(5\.1\.1|4\.3\.0|5\.7\.1)/);
    expect(caughtOf(asked)).toEqual([]);
    expect(await sentOf(asked)).toEqual([]);
  });

  it('200 for the same key after a 500, once the server takes the message', async () => {
    const headers = { 'Idempotency-Key': 'again' };
    const asked = message({ to: [{ email: 'x@defer.example' }] });
    expect((await send(asked, headers)).status).toBe(500);
    sink.takesEverything = true;
    expect((await send(asked, headers)).status).toBe(200);
    sink.takesEverything = false;
    expect(caughtOf(asked)).toHaveLength(1);
  });

  it('408 QUERY_TIMEOUT when the answer of the server was lost, and 409 CONFLICT for its key meanwhile', async () => {
    const headers = { 'Idempotency-Key': 'lost' };
    const asked = message({ body: { text: 'please cut' } });
    expect(await send(asked, headers)).toMatchObject({ status: 408, body: { code: 'QUERY_TIMEOUT' } });
    expect(await send(asked, headers)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } });
    expect(caughtOf(asked)).toHaveLength(1);
  });

  it('403 OUTBOUND_SEND_NOT_ALLOWED without the permission', async () => {
    const asked = message();
    expect(await workspace.write.post('/drafts/send', asked)).toMatchObject({
      status: 403,
      body: { code: 'OUTBOUND_SEND_NOT_ALLOWED' },
    });
    expect(caughtOf(asked)).toEqual([]);
  });

  it('404 MAILBOX_NOT_FOUND for an unknown and a foreign mailbox', async () => {
    const foreign = await (await stack.workspace()).connectMailbox();
    for (const mailboxId of ['mbx_never', foreign.id]) {
      expect(await send(message({ mailboxId }))).toMatchObject({ status: 404, body: { code: 'MAILBOX_NOT_FOUND' } });
    }
  });

  it('400 MAILBOX_INACTIVE for a mailbox that is disconnected', async () => {
    const asleep = await workspace.connectMailbox();
    await stack.workspaces.disconnectMailbox({ mailboxId: asleep.id }, {});
    expect(await send(message({ mailboxId: asleep.id }))).toMatchObject({
      status: 400,
      body: { code: 'MAILBOX_INACTIVE' },
    });
  });

  it('400 INVALID_SENDER_ALIAS for an address that is none of the mailbox', async () => {
    expect(await send(message({ from: 'boss@example.com' }))).toMatchObject({
      status: 400,
      body: { code: 'INVALID_SENDER_ALIAS' },
    });
  });
});
