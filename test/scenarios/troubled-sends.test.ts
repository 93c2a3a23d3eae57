import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
let email: string;
let postroom: CommandLine;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  postroom = commandLine(addressesOf(stack));
  workspace = await stack.workspace();
  ({ id: mailboxId, email } = await workspace.connectMailbox());
});
afterAll(async () => {
  await stack.close();
  await sink.close();
});

const send = (subject: string, extra: object = {}) =>
  workspace.send.post(
    '/drafts/send',
    { mailboxId, to: [{ email: 'b@x.example' }], subject, body: { text: 'please cut' }, ...extra },
    { headers: { 'Idempotency-Key': subject } },
  );
const listed = async (trouble: string) =>
  (await postroom.json('sends', 'list', '--workspace', workspace.id, '--trouble', trouble)).items;
const resolve = (id: string, how: string) =>
  postroom.json('sends', 'resolve', '--workspace', workspace.id, '--send', id, how);
const caught = (subject: string) => sink.caught.filter(({ raw }) => raw.includes(subject)).length;

it('operators see a send that may have gone out and resolve it as sent: its caller is told, and it is in Sent', async () => {
  expect((await send('Perhaps')).status).toBe(408);
  const [unknown, ...others] = await listed('unknown');
  expect(others).toEqual([]);
  expect(unknown).toMatchObject({ mailboxId, kind: 'send', state: 'unknown', to: ['b@x.example'] });
  expect((await send('Perhaps')).status).toBe(409);

  expect(await resolve(unknown.id, '--sent')).toMatchObject({ state: 'accepted' });
  await eventually(async () => {
    expect(await send('Perhaps')).toMatchObject({ status: 200, body: { email: { subject: 'Perhaps' } } });
  }, 20_000);
  const sent = (await workspace.read.get('/emails?folderType=SENT')).body.items;
  expect(sent.map(({ subject }: { subject: string }) => subject)).toEqual(['Perhaps']);
  expect(caught('Perhaps')).toBe(1);
  expect(await listed('unknown')).toEqual([]);
});

it('or that it did not: then its caller may send it again', async () => {
  expect((await send('Surely not')).status).toBe(408);
  const [{ id }] = await listed('unknown');
  expect(await resolve(id, '--not-sent')).toMatchObject({ state: 'failed' });
  expect(await listed('failed')).toMatchObject([{ id, lastError: 'an operator has looked: it was not sent' }]);
  expect((await send('Surely not')).status).toBe(408);
  expect(caught('Surely not')).toBe(2);
});

it('a send with a known outcome is not resolved, nor one without a valid outcome in the command', async () => {
  expect((await send('Known', { body: { text: 'x' } })).status).toBe(200);
  const known = await stack.collections.sends.findOne({ workspaceId: workspace.id, state: 'recorded' }).lean();
  const args = ['sends', 'resolve', '--workspace', workspace.id, '--send', known?._id ?? ''];
  expect((await postroom(...args, '--not-sent')).stderr).toContain(
    'Only a send with an unknown outcome can be resolved. This one is recorded.',
  );
  expect((await postroom(...args)).stderr).toContain('say which: add --sent or --not-sent');
  const foreign = await stack.workspace();
  expect((await postroom('sends', 'show', '--workspace', foreign.id, '--send', known?._id ?? '')).stderr).toContain(
    'There is no such send.',
  );
});

it('shows the recipients that did not get it, with the answer of the mail server, and reports them to the mailbox', async () => {
  const to = [{ email: 'b@x.example' }, { email: 'gone@refuse.example' }, { email: 'full@defer.example' }];
  const answer = await send('Partly', { to, body: { text: 'x' } });
  expect(answer).toMatchObject({ status: 200, body: { email: { to } } });
  const [partly] = await listed('refused');
  expect(partly.refused).toEqual([
    { address: 'gone@refuse.example', reason: expect.stringContaining('5.1.1'), isFinal: true },
    { address: 'full@defer.example', reason: expect.stringContaining('4.3.0'), isFinal: false },
  ]);
  const said = await postroom('sends', 'show', '--workspace', workspace.id, '--send', partly.id);
  expect(said.stdout).toMatch(/not got by.*gone@refuse\.example: .*5\.1\.1/);
  expect(said.stdout).toMatch(/put off.*full@defer\.example: .*4\.3\.0/);
  await eventually(async () => {
    const [report, ...more] = (await workspace.read.get('/emails?folderType=INBOX')).body.items;
    expect(more).toEqual([]);
    expect(report).toMatchObject({
      from: { email: `MAILER-DAEMON@${email.slice(email.indexOf('@') + 1)}` },
      isRead: false,
      threadId: answer.body.email.threadId,
      inReplyTo: answer.body.email.messageId,
    });
    const { text } = (await workspace.read.get(`/emails/${report.id}/body`)).body.body;
    expect(text).toContain('gone@refuse.example');
    expect(text).toContain('5.1.1 no such user');
    expect(text).not.toContain('full@defer.example');
  });
  // It is no report of another server: what operators are told stays as it was.
  expect((await listed('refused'))[0].refused).toEqual(partly.refused);
  // Nobody else is sent it again.
  const deferred = { workspaceId: workspace.id, remainderOf: partly.id };
  expect(await stack.collections.sends.findOne(deferred).lean()).toMatchObject({ to: ['full@defer.example'] });
});
