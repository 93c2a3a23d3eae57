import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { addressesOf, commandLine, type CommandLine } from '../support/command-line.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { behindGateway, shiftingClock } from '../support/shifting-clock.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

let sink: MailSink;
let stack: TestStack;
let workspace: TestWorkspace;
let mailboxId: string;
let postroom: CommandLine;
beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({
    clock: behindGateway(shiftingClock({ times: 4 })),
    variables: { DEVELOPMENT_SMTP_ADDR: sink.address },
  });
  postroom = commandLine(addressesOf(stack));
  workspace = await stack.workspace();
  mailboxId = (await workspace.connectMailbox()).id;
});
afterAll(async () => {
  await stack.close();
  await sink.close();
});

const people = ['bob@other.example', 'cy@other.example'];
const send = (subject: string, text: string) =>
  workspace.send.post(
    '/drafts/send',
    { mailboxId, to: people.map((email) => ({ email })), subject, body: { text } },
    { headers: { 'Idempotency-Key': subject } },
  );
const headerOf = (subject: string) =>
  (sink.caught.find(({ raw }) => raw.includes(`Subject: ${subject}\r\n`))?.raw ?? '').split('\r\n\r\n')[0] ?? '';

/** A bounce: a server accepted the message and could not deliver it to this address. */
function bounce(returned: string, action: string, address = 'bob@other.example') {
  const headers = { 'Content-Type': 'multipart/report; report-type=delivery-status; boundary=b', 'Return-Path': '<>' };
  const status = `Action: ${action}\r\nFinal-Recipient: rfc822;${address}\r\nDiagnostic-Code: smtp; 550 5.1.1 No such user`;
  const text = ['text/plain', 'message/delivery-status', 'text/rfc822-headers']
    .map(
      (type, n) =>
        `--b\r\nContent-Type: ${type}\r\n\r\n${['Sorry.', `Reporting-MTA: dns; mx\r\n\r\n${status}`, returned][n]}`,
    )
    .join('\r\n');
  return { from: 'Mailer-Daemon@mx.example', subject: 'Undelivered', headers, text: `${text}\r\n--b--` };
}
const refused = async ({ id } = workspace) =>
  (await postroom.json('sends', 'list', '--workspace', id, '--trouble', 'refused')).items;

it('a bounce says who has not got a message after all, once however often it comes, and is not passed on', async () => {
  const rule = { conditionField: 'subject_contains', conditionValue: 'Undelivered', forwardTo: 'boss@other.example' };
  const { id: ruleId } = (await workspace.send.post('/auto-forward-rules', rule)).body.rule;
  expect((await send('Comes back', 'Hello')).status).toBe(200);
  const returned = headerOf('Comes back');
  await workspace.ingest(mailboxId, [bounce(returned, 'failed'), bounce(returned, 'delayed', 'cy@other.example')]);
  await workspace.ingest(mailboxId, [bounce(returned, 'failed'), bounce(returned, 'failed', 'stranger@other.example')]);
  const told = { address: 'bob@other.example', reason: 'came back: 550 5.1.1 No such user', isFinal: true };
  await eventually(async () => expect(await refused()).toMatchObject([{ state: 'recorded', refused: [told] }]), 20_000);
  await eventually(async () => {
    const logs = (await workspace.read.get(`/auto-forward-rules/${ruleId}/logs`)).body.items;
    expect(logs.map(({ status }: { status: string }) => status)).toEqual(Array.from({ length: 4 }, () => 'skipped'));
  }, 20_000);
});

it.each([
  ['as it went out', (header: string) => header],
  [
    'under a Message-ID that a relay has given it',
    (header: string) => header.replace(/^Message-ID: .*$/m, 'Message-ID: <r@x>'),
  ],
])(
  'what was unknown is known by a bounce of it, %s: its caller is told, and it stands in Sent',
  async (what, renamed) => {
    const subject = `Perhaps ${what}`;
    expect((await send(subject, 'please cut')).status).toBe(408);
    expect((await send(subject, 'please cut')).status).toBe(409);
    await workspace.ingest(mailboxId, [bounce(renamed(headerOf(subject)), 'delayed')]);
    await eventually(async () => expect((await send(subject, 'please cut')).status).toBe(200), 20_000);
    const sent = (await workspace.read.get('/emails?folderType=SENT')).body.items;
    expect(sent.filter((email: { subject: string }) => email.subject === subject)).toHaveLength(1);
    expect(sink.caught.filter(({ raw }) => raw.includes(subject))).toHaveLength(1);
  },
);

it('a report on what nobody here has sent, or another workspace, changes nothing', async () => {
  const theirs = await stack.workspace();
  const { id } = await theirs.connectMailbox();
  const to = people.map((email) => ({ email }));
  const body = { mailboxId: id, to, subject: 'Theirs', body: { text: 'Hello' } };
  expect((await theirs.send.post('/drafts/send', body)).status).toBe(200);
  // In the order in which they came in: the last says that those before it have been read.
  await theirs.ingest(id, [
    bounce('Message-ID: <stranger@x.example>\r\nX-Postroom-Operation: snd_none', 'failed'),
    bounce(headerOf('Comes back'), 'failed', 'cy@other.example'),
    bounce(headerOf('Theirs'), 'failed'),
  ]);
  // Another mailbox of the workspace that sent it received none of its reports.
  const { id: second } = await workspace.connectMailbox();
  await workspace.ingest(second, [bounce(headerOf('Comes back'), 'failed', 'cy@other.example')]);
  await eventually(async () => expect(await refused(theirs)).toMatchObject([{ to: people, mailboxId: id }]), 20_000);
  expect(await refused()).toMatchObject([{ refused: [{ address: 'bob@other.example' }] }]);
});

it('a report on a message that its server has not answered yet waits, and holds up no report of another workspace', async () => {
  let answer = () => undefined as void;
  const answered = new Promise<void>((resolve) => (answer = resolve));
  sink.at = async (stage) => {
    if (stage === 'accepted' && sink.caught.at(-1)?.raw.includes('Subject: Held\r\n')) await answered;
  };
  const held = send('Held', 'Hello');
  await eventually(() => expect(headerOf('Held')).not.toBe(''), 20_000);
  await workspace.ingest(mailboxId, [bounce(headerOf('Held'), 'failed')]);
  const others = await stack.workspace();
  const { id } = await others.connectMailbox();
  const to = people.map((email) => ({ email }));
  const body = { mailboxId: id, to, subject: 'Of others', body: { text: 'Hello' } };
  expect((await others.send.post('/drafts/send', body)).status).toBe(200);
  await others.ingest(id, [bounce(headerOf('Of others'), 'failed')]);
  await eventually(async () => expect(await refused(others)).toMatchObject([{ mailboxId: id }]), 20_000);
  sink.at = undefined;
  answer();
  expect([200, 408]).toContain((await held).status);
  await eventually(async () => expect(await refused()).toHaveLength(2), 20_000);
}, 90_000);
