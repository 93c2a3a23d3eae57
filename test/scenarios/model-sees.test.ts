import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { type FakeModel, startFakeModel } from '../support/fake-model.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import type { MessageParts } from '../support/message.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let model: FakeModel;
let sink: MailSink;
let stack: TestStack;
beforeAll(async () => {
  sink = await openMailSink();
  model = await startFakeModel(({ rules, email }) =>
    rules.map(({ rule_id, condition }) => {
      return { rule_id, applies: email.subject.includes(condition), confidence: 90, reason: 'it says so' };
    }),
  );
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address, LLM_BASE_URL: model.baseUrl } });
}, 60_000);
afterAll(async () => {
  await stack.close();
  await Promise.all([sink.close(), model.close()]);
});

interface Seen {
  facts: { mailboxIn?: string; hasWrittenToSender: boolean; recipients: number };
  email: { from: string; to: string[]; cc: string[]; attachments: object[]; text: string };
  owner?: object;
  thread?: { by: string; text: string }[];
}

async function scene() {
  const workspace = await stack.workspace();
  const mailbox = await workspace.connectMailbox({ name: 'Ann Lee', aliases: ['info@example.com'] });
  const rule = { name: 'price', color: 'Pink', condition: 'price', autoDraftEnabled: true };
  await workspace.send.post('/ai-label-rules', rule);
  return { workspace, mailbox };
}
type Scene = Awaited<ReturnType<typeof scene>>;

/** Takes an email in, and returns what the model was asked: whether rules apply, and for a reply. */
async function asked({ workspace, mailbox }: Scene, parts: MessageParts): Promise<{ judged: Seen; reply?: Seen }> {
  const before = model.prompts.length;
  const [id = ''] = await workspace.ingest(mailbox.id, [{ to: mailbox.email, ...parts }]);
  await eventually(async () => {
    expect(await stack.collections.emails.countDocuments({ _id: id, classifiedAt: { $exists: true } })).toBe(1);
  }, 30_000);
  const [judged, reply] = model.prompts
    .slice(before)
    .map((prompt) => JSON.parse(prompt.split('\n').at(-1) ?? '') as Seen);
  return { judged: judged as Seen, ...(reply && { reply }) };
}

const WITH_PDF = [
  '--b',
  'Content-Type: text/plain',
  '',
  'See the plan.',
  '--b',
  'Content-Type: application/pdf; name="plan.pdf"',
  'Content-Disposition: attachment; filename="plan.pdf"',
  '',
  'PDF',
  '--b--',
].join('\r\n');

describe('the model', () => {
  it('sees To and Cc, names and types of attachments, and where the email names the mailbox', async () => {
    const own = await scene();
    const { email } = own.mailbox;
    const headers = { 'Content-Type': 'multipart/mixed; boundary=b' };
    const parts = { to: `Bob <bob@x.example>, ${email}`, cc: 'Carol <carol@x.example>', text: WITH_PDF, headers };
    const { judged, reply } = await asked(own, parts);
    expect(judged.facts).toEqual({ mailboxIn: 'to', hasWrittenToSender: false, recipients: 3 });
    expect(judged.email).toMatchObject({
      to: ['Bob <bob@x.example>', email],
      cc: ['Carol <carol@x.example>'],
      attachments: [{ name: 'plan.pdf', type: 'application/pdf' }],
      text: 'See the plan.',
    });
    expect(reply).toBeUndefined();
  });

  it.each([
    ['to', (own: string) => ({ to: own.toUpperCase() })],
    ['to', () => ({ to: 'Info@example.com' })],
    ['to', (own: string) => ({ to: own.replace('@', '+shop@') })],
    ['cc', (own: string) => ({ to: 'x@x.example', cc: `y@x.example, ${own}` })],
    ['neither', (own: string) => ({ to: `list@x.example, x${own}` })],
  ])('knows that the mailbox is in %s', async (mailboxIn, parts) => {
    const own = await scene();
    expect((await asked(own, parts(own.mailbox.email))).judged.facts).toMatchObject({ mailboxIn });
  });

  it('knows whether the mailbox has ever written to the sender, by mail of before and by mail that was sent here', async () => {
    const own = await scene();
    const knows = async (from: string) => (await asked(own, { from })).judged.facts.hasWrittenToSender;
    const sent = { from: own.mailbox.email, folderType: 'SENT', isHistory: true } as const;
    await own.workspace.ingest(own.mailbox.id, [{ ...sent, to: 'old@x.example', cc: 'Copied <COPIED@x.example>' }]);
    expect([await knows('Old@x.example'), await knows('copied@x.example')]).toEqual([true, true]);
    expect(await knows('new@x.example')).toBe(false);
    const letter = { mailboxId: own.mailbox.id, to: [{ email: 'new@x.example' }], body: { text: 'Hi' } };
    expect((await own.workspace.send.post('/drafts/send', { ...letter, subject: 'Hi' })).status).toBeLessThan(300);
    expect(await knows('new@x.example')).toBe(true);
  });

  it('sees of a thread of 40 messages, for a reply, those in which the sender took part, and who answers', async () => {
    const own = await scene();
    const html = '<p>Ann Lee<br>Acme Chairs</p>';
    await stack.workspaces.createSignature({ workspaceId: own.workspace.id, name: 'Mine', html, isDefault: true }, {});
    const root = '<root@x.example>';
    const people = ['bob', 'carol', 'dave', 'eve'];
    const messages = Array.from({ length: 40 }, (_, n): MessageParts => {
      const person = people[n % 4] ?? '';
      const isOwn = n % 3 === 0;
      const date = new Date(Date.UTC(2026, 0, 1, 0, n));
      const between = isOwn ? { from: own.mailbox.email, to: `${person}@x.example`, folderType: 'SENT' as const } : {};
      const quoted = `\r\n\r\nOn Monday, somebody wrote:\r\n> of ${people[(n + 1) % 4]}`;
      const text = `Message ${n} of ${person}.${quoted}`;
      const thread = n === 0 ? { messageId: root } : { inReplyTo: root, references: [root] };
      return { from: `${person}@x.example`, to: own.mailbox.email, date, text, isHistory: true, ...thread, ...between };
    });
    await own.workspace.ingest(own.mailbox.id, messages);
    const question = { from: 'Bob <bob@x.example>', subject: 'price', inReplyTo: root, references: [root] };
    const { judged, reply } = await asked(own, { ...question, text: 'And now?' });
    expect(judged.thread).toBeUndefined();
    expect(reply?.owner).toEqual({ name: 'Ann Lee', signature: 'Ann Lee\nAcme Chairs' });
    const expected = [16, 20, 24, 28, 32, 36].map((n) => {
      return expect.objectContaining({ by: n % 3 === 0 ? 'owner' : 'sender', text: `Message ${n} of bob.` });
    });
    expect(reply?.thread).toEqual(expected);
    expect(JSON.stringify(reply)).not.toMatch(/carol|dave|eve/);
    // A stranger that writes into the thread is told of nothing in it.
    const stranger = await asked(own, { ...question, from: 'Mallory <mallory@x.example>', text: 'And now?' });
    expect(stranger.reply?.thread).toEqual([]);
  });
});
