import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { simpleParser } from 'mailparser';
import { type Collector, startCollector } from '../support/collector.ts';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

jest.setTimeout(120_000);
const SOON = 40_000;
const { IMAP_ADDR: address = '', MAIL_CONTROL: command = '' } = process.env;
const isGiven = address !== '' && command !== '';
if (!isGiven) skipAloud('raw messages on demand (no address of an IMAP server, and no command that controls it)');
const message = (subject: string, more = '') =>
  `Subject: ${subject}\r\nMessage-ID: <${subject}@mail.test>\r\n\r\nHello${more}`;
const withFile = [
  'From: shop@shop.example',
  'Subject: invoice',
  'Message-ID: <invoice@shop.example>',
  'Content-Type: multipart/mixed; boundary=b',
  '',
  '--b\r\n\r\nplease pay',
  '--b\r\nContent-Type: text/csv; name=a.csv\r\n\r\n1;2',
  '--b--',
].join('\r\n');
const byUid = { uid: true } as const;

(isGiven ? describe : describe.skip)('raw messages from a real IMAP server', () => {
  const server = mailServer(address, command);
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let proxy: TcpProxy;
  let sink: MailSink;
  let collector: Collector;
  let other: ImapFlow;
  let mailbox: SyncedMailbox;

  beforeAll(async () => {
    // Looked at seldom, so that nothing but the call itself learns what has changed there.
    const seldom = { SENT_SCAN: '1h', FOLDER_SCAN: '1h', INBOX_SCAN: '1h' };
    collector = await startCollector();
    stack = await startSyncedStack(seldom, { otlpEndpoint: collector.endpoint });
    sink = await openMailSink({ hasLogins: true });
    proxy = await openTcpProxy('127.0.0.1', Number(address.split(':')[1]));
  });
  beforeEach(async () => {
    workspace = await stack.workspace();
  });
  afterEach(() => other?.close());
  afterAll(async () => {
    await stack.close();
    await proxy.close();
    await sink.close();
    await collector.close();
  });

  const connect = (...messages: string[]) => connectIn('INBOX', ...messages);
  const connectIn = async (folder: string, ...messages: string[]) => {
    const user = await server.user();
    // A server that has just been told of somebody may not know it yet.
    await eventually(async () => (other = await server.client(user)), SOON);
    if (!(await other.list()).some(({ path }) => path === folder)) await other.mailboxCreate(folder);
    for (const raw of messages) await other.append(folder, raw);
    mailbox = await stack.connectUser(workspace, user, `127.0.0.1:${proxy.port}`, sink.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toHaveLength(messages.length), SOON);
    await eventually(
      async () => expect((await mailbox.state()).folders.every(({ isComplete }) => isComplete)).toBe(true),
      SOON,
    );
  };
  const idOf = async (subject: string) => (await mailbox.shown())[subject]?.id ?? '';
  const uidOf = async (subject: string) => ((await other.search({ subject }, byUid)) as number[])[0] as number;

  it('come byte by byte as they are there, over one connection however many ask, and nothing is marked as read', async () => {
    await connect(message('one'), message('two'));
    const [one, two] = [await idOf('one'), await idOf('two')];
    const before = proxy.connections();
    let most = before;
    const all = await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const { raw, isWhole } = await mailbox.fetchRaw(n % 2 === 0 ? one : two);
        most = Math.max(most, proxy.connections());
        return [Buffer.from(raw).toString(), isWhole];
      }),
    );
    expect(all).toEqual(all.map((_, n) => [message(n % 2 === 0 ? 'one' : 'two'), true]));
    expect(most).toBe(before + 1);
    await other.mailboxOpen('INBOX');
    expect(await other.search({ seen: true }, byUid)).toEqual([]);
  });

  it('are cut where they are very large, and that is said', async () => {
    const huge = message('huge', `\r\n${randomBytes(20 * 1024 * 1024).toString('base64')}`);
    await connect(message('one'), huge);
    const { raw, isWhole } = await mailbox.fetchRaw(await idOf('huge'));
    expect([raw.length, isWhole]).toEqual([25 * 1024 * 1024, false]);
  });

  it('404 NOT_FOUND when the message is gone there, and when there is no such email', async () => {
    await connect(message('one'), message('two'));
    const one = await idOf('one');
    await proxy.cut();
    await other.mailboxOpen('INBOX');
    await other.messageDelete(await uidOf('one'), byUid);
    await proxy.restore();
    await expect(mailbox.fetchRaw('eml_none')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(mailbox.fetchRaw(one)).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('500 INTERNAL_ERROR while UIDs name other messages than before, and the right one once that is known', async () => {
    await connectIn('Archive', message('one'), message('two'));
    const one = await idOf('one');
    await proxy.cut();
    await server.control('uidvalidity', 'bump', mailbox.user, 'Archive', '--renumber');
    await proxy.restore();
    const fetched = await mailbox.fetchRaw(one).catch((error: { code: string }) => error.code);
    // Another message would be somebody else's mail.
    if (typeof fetched === 'string') expect(fetched).toBe('INTERNAL_ERROR');
    else expect(Buffer.from(fetched.raw).toString()).toBe(message('one'));
    await eventually(
      async () => expect(Buffer.from((await mailbox.fetchRaw(one)).raw).toString()).toBe(message('one')),
      SOON,
    );
  });

  it('500 INTERNAL_ERROR while the server is unavailable, 408 QUERY_TIMEOUT while it hangs, and the message after that', async () => {
    await connect(message('one'));
    const one = await idOf('one');
    await proxy.cut();
    await expect(mailbox.fetchRaw(one)).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
    await proxy.restore();
    await eventually(async () => expect((await mailbox.fetchRaw(one)).isWhole).toBe(true), SOON);
    proxy.freeze();
    await expect(mailbox.fetchRaw(one, 1_000)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    proxy.thaw();
    await proxy.cut();
    await proxy.restore();
    await eventually(async () => expect((await mailbox.fetchRaw(one)).isWhole).toBe(true), SOON);
  });

  it('give a body back that was let go of, byte for byte, and say so while the server is unavailable', async () => {
    await connect(message('one', ' again'));
    const one = await idOf('one');
    const body = () => workspace.read.get(`/emails/${one}/body`);
    const before = await body();
    expect(before.body.body).toEqual({ html: null, text: 'Hello again' });
    await stack.collections.bodies.deleteOne({ _id: one });
    await proxy.cut();
    expect(await body()).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    await proxy.restore();
    await eventually(async () => expect((await body()).body).toEqual(before.body), SOON);
    // It is kept again: nobody need be asked.
    await proxy.cut();
    expect((await body()).body).toEqual(before.body);
    await stack.collections.bodies.deleteOne({ _id: one });
    await proxy.restore();
    await other.mailboxOpen('INBOX');
    await other.messageDelete(await uidOf('one'), byUid);
    await eventually(
      async () => expect(await body()).toMatchObject({ status: 404, body: { code: 'NOT_FOUND' } }),
      SOON,
    );
  });

  it('go along when their emails are forwarded, out of the provider and into its folder of sent mail: one trace', async () => {
    await connectIn('Sent', message('one'));
    const rule = { conditionField: 'subject_contains', conditionValue: 'invoice', forwardTo: 'books@other.example' };
    await workspace.send.post('/auto-forward-rules', rule);
    await other.append('INBOX', withFile);
    await eventually(() => expect(sink.caught).toHaveLength(1), SOON);
    const files = async (raw: Buffer | string) =>
      (await simpleParser(raw)).attachments.map(({ filename, content }) => [filename, content.toString()]);
    expect(await files(sink.caught[0]?.raw ?? '')).toEqual([['a.csv', '1;2']]);
    await eventually(async () => {
      await other.mailboxOpen('Sent');
      const [uid = 0] = (await other.search({ subject: 'Fwd' }, byUid)) as number[];
      const copy = await other.fetchOne(`${uid}`, { source: true }, byUid);
      expect(await files((copy && copy.source) || '')).toEqual([['a.csv', '1;2']]);
    }, SOON);
    expect(sink.caught).toHaveLength(1);
    // Over both topics, which are Kafka's where it is given; the span that all hang on is the last to be told of.
    const trace = () => {
      const spans = collector.spans();
      const { traceId } = spans.find(({ name }) => name === 'smtp deliver') ?? {};
      return spans.filter((span) => span.traceId === traceId);
    };
    const roots = () => trace().filter(({ parentSpanId: of }) => !trace().some(({ spanId }) => spanId === of));
    await eventually(() => expect(roots().map(({ name }) => name)).toEqual(['take in']), SOON);
    const [stored, ...topics] = ['MailboxWriteService/Ingest', 'process email.received', 'process email.classified'];
    const way = ['imap fetch', stored, ...topics, 'send', 'smtp deliver'];
    expect(trace().map(({ name }) => name)).toEqual(expect.arrayContaining(way));
  });

  it('400 MAILBOX_INACTIVE when the mailbox is disconnected', async () => {
    await connect(message('one'));
    const one = await idOf('one');
    await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, { workspaceId: workspace.id });
    await expect(mailbox.fetchRaw(one)).rejects.toMatchObject({ code: 'MAILBOX_INACTIVE' });
  });
});
