import { readFileSync } from 'node:fs';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { type MailServer, mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

// A real server on a busy machine takes its time.
jest.setTimeout(120_000);
const SOON = 60_000;

const { IMAP_ADDR, SMTP_ADDR, RELAY_SMTP_ADDR, MAIL_CONTROL } = process.env;
const isGiven = Boolean(IMAP_ADDR && SMTP_ADDR && RELAY_SMTP_ADDR && MAIL_CONTROL);
if (!isGiven)
  skipAloud('drafts and sent mail in other mail programs (IMAP_ADDR, SMTP_ADDR and their control are not given)');
const byUid = { uid: true } as const;

(isGiven ? describe : describe.skip)('a mailbox whose folders other mail programs see', () => {
  let server: MailServer;
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let mailbox: SyncedMailbox;
  let other: ImapFlow;
  beforeAll(async () => {
    server = mailServer(IMAP_ADDR ?? '', MAIL_CONTROL ?? '', RELAY_SMTP_ADDR);
    await server.control('fault', 'clear');
    await server.control('caught', 'clear');
    stack = await startSyncedStack();
  });
  beforeEach(async () => {
    workspace = await stack.workspace();
    const user = await server.user();
    other = await server.client(user);
    mailbox = await stack.connectUser(workspace, user, server.address, server.relayAddress);
    await eventually(async () => expect((await mailbox.state()).folders.length).toBeGreaterThan(3), SOON, 300);
  });
  afterEach(async () => {
    other?.close();
    await server.control('fault', 'clear');
  });
  afterAll(() => stack?.close());

  const body = (subject: string, extra: object = {}) => ({
    mailboxId: mailbox.id,
    to: [{ email: 'bob@x.test' }],
    bcc: [{ email: 'di@x.test' }],
    subject,
    body: { text: 'Hello' },
    ...extra,
  });
  const send = (subject: string, extra: object = {}) =>
    workspace.send.post('/drafts/send', body(subject, extra), { headers: { 'Idempotency-Key': subject } });
  /** As the mail server had it, over the wire. */
  const caught = async (subject: string) =>
    (await server.control('caught', 'list'))
      .split('\n')
      .filter(Boolean)
      .map((line) => readFileSync((JSON.parse(line) as { raw: string }).raw, 'utf8'))
      .filter((raw) => raw.includes(`Subject: ${subject}`));
  const there = async (folder: string) => {
    const { exists } = await other.mailboxOpen(folder);
    const found: { uid: number; subject: string; flags: string[]; raw: string }[] = [];
    if (exists === 0) return found;
    for await (const one of other.fetch('1:*', { uid: true, envelope: true, flags: true, source: true })) {
      const { uid, envelope, flags = new Set(), source } = one;
      found.push({ uid, subject: envelope?.subject ?? '', flags: [...flags].toSorted(), raw: String(source) });
    }
    return found;
  };
  const seeThere = (folder: string, expected: object[]) =>
    eventually(async () => expect(await there(folder)).toMatchObject(expected), SOON, 300);
  const listed = async (path: string) =>
    (await workspace.read.get(path)).body.items as { id: string; subject: string }[];
  /** Each side has looked at the other's a few times more, and nothing has come of it. */
  const stays = async (subject: string) => {
    for (let poll = 0; poll < 3; poll++) {
      await mailbox.syncNow();
      await new Promise((resolve) => setTimeout(resolve, 1_500));
    }
    expect((await there('Sent')).map((one) => one.subject)).toEqual([subject]);
    expect((await listed('/emails?folderType=SENT')).map((one) => one.subject)).toEqual([subject]);
    expect(await listed('/drafts')).toEqual([]);
  };

  it('a draft made here is there; what another program makes of it is here; sent there, it is sent here', async () => {
    const { draft } = (await workspace.write.post('/drafts', body('A draft'))).body;
    await seeThere('Drafts', [{ subject: 'A draft', flags: ['\\Draft', '\\Seen'] }]);
    const [made] = await there('Drafts');
    const edited = (made?.raw ?? '')
      .replace('Subject: A draft', 'Subject: An edited draft')
      .replace('Hello', 'Goodbye');
    await other.append('Drafts', edited, ['\\Draft', '\\Seen']);
    await other.messageDelete(String(made?.uid), byUid);
    await eventually(
      async () => {
        expect((await workspace.read.get(`/drafts/${draft.id}`)).body.draft).toMatchObject({
          subject: 'An edited draft',
          snippet: 'Goodbye',
          body: { text: expect.stringContaining('Goodbye') },
          source: 'api',
        });
        expect(await listed('/drafts')).toHaveLength(1);
      },
      SOON,
      300,
    );
    await other.append('Sent', edited, ['\\Seen']);
    await other.mailboxOpen('Drafts');
    await other.messageDelete('1:*');
    await eventually(
      async () => {
        expect(await listed('/emails?folderType=SENT')).toMatchObject([{ id: draft.id, subject: 'An edited draft' }]);
      },
      SOON,
      300,
    );
    await stays('An edited draft');
  });

  it('a message sent here is in Sent once, here and there, with its Bcc', async () => {
    const { email } = (await send('Filed by us')).body;
    await seeThere('Sent', [{ subject: 'Filed by us', flags: ['\\Seen'], raw: expect.stringContaining('di@x.test') }]);
    await stays('Filed by us');
    expect(await listed('/emails?folderType=SENT')).toMatchObject([{ id: email.id }]);
    expect((await caught('Filed by us')).map((raw) => raw.includes('di@x.test'))).toEqual([false]);
  });

  it.each([
    ['as it was sent', (raw: string) => raw],
    [
      'under a Message-ID of its own',
      (raw: string) => raw.replace(/^Message-ID: .*$/m, 'Message-ID: <renamed@relay.test>'),
    ],
  ])('a provider that files what it sends by itself, %s, has one copy, and we one email', async (what, renamed) => {
    const subject = `Filed by itself ${what}`;
    const { email } = (await send(subject)).body;
    const [raw = ''] = await caught(subject);
    await other.append('Sent', `Received: from postroom\r\n${renamed(raw)}`, ['\\Seen']);
    await stays(subject);
    expect(await listed('/emails?folderType=SENT')).toMatchObject([{ id: email.id }]);
    expect((await workspace.read.get(`/emails/${email.id}`)).body.email.bcc).toMatchObject([{ email: 'di@x.test' }]);
    // Longer than we leave it to the provider.
    await new Promise((resolve) => setTimeout(resolve, 8_000));
    await stays(subject);
  });

  it('the copy that the provider files tells the outcome of a send, with any Message-ID', async () => {
    await server.control('fault', 'set', 'smtp', 'dot', 'cut', '--times', '1');
    expect((await send('Perhaps')).status).toBe(408);
    const [raw = ''] = await caught('Perhaps');
    await other.append('Sent', raw.replace(/^Message-ID: .*$/m, 'Message-ID: <renamed@relay.test>'), ['\\Seen']);
    await eventually(async () => expect((await send('Perhaps')).status).toBe(200), SOON, 1_000);
    await stays('Perhaps');
    expect(await caught('Perhaps')).toHaveLength(1);
  });

  it('a bounce in its inbox says who has not got what was sent', async () => {
    expect((await send('Comes back')).status).toBe(200);
    const [raw = ''] = await caught('Comes back');
    const part = (type: string, text: string) => `--b\r\nContent-Type: ${type}\r\n\r\n${text}\r\n`;
    const status =
      'Reporting-MTA: dns; mx.test\r\n\r\nAction: failed\r\nFinal-Recipient: rfc822;bob@x.test\r\nStatus: 5.1.1';
    const report = `${part('text/plain', 'Sorry.')}${part('message/delivery-status', status)}${part('message/rfc822', raw)}--b--\r\n`;
    const head =
      'From: Mailer-Daemon@mx.test\r\nSubject: Undelivered\r\nContent-Type: multipart/report; boundary=b\r\n\r\n';
    await other.append('INBOX', head + report);
    await eventually(
      async () => {
        const [asked] = await stack.collections.sends.find({ workspaceId: workspace.id }).lean();
        expect(asked).toMatchObject({ state: 'recorded', refused: [{ address: 'bob@x.test', isFinal: true }] });
      },
      SOON,
      500,
    );
  });
});
