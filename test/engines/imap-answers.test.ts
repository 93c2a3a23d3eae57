import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ImapFlow } from 'imapflow';
import { type MailSink, openMailSink } from '../support/mail-sink.ts';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { type ImapWire, openImapWire } from './support/imap-wire.ts';
import { mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

jest.setTimeout(180_000);
const SOON = 90_000;

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('answers that are lost or refusals (IMAP_ADDR and MAIL_CONTROL are not given)');

(address && command ? describe : describe.skip)('what a mail server does not take over, or does not say', () => {
  const server = mailServer(address ?? '', command ?? '');
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let sink: MailSink;
  let wire: ImapWire;
  let mailbox: SyncedMailbox;
  let other: ImapFlow;
  beforeAll(async () => {
    stack = await startSyncedStack();
    sink = await openMailSink({ hasLogins: true });
    wire = await openImapWire(server.address);
  });
  beforeEach(async () => {
    workspace = await stack.workspace();
    const user = await server.user();
    other = await server.client(user);
    await other.append('INBOX', 'Subject: first\r\nMessage-ID: <first@mail.test>\r\n\r\nHello');
    mailbox = await stack.connectUser(workspace, user, wire.address, sink.address);
    await eventually(async () => expect(await mailbox.shown()).toHaveProperty('first'), SOON, 200);
  });
  afterEach(async () => {
    wire.refuse(null);
    other.close();
    await stack.workspaces.disconnectMailbox({ mailboxId: mailbox.id }, {});
  });
  afterAll(async () => {
    await stack?.close();
    await wire?.close();
    await sink?.close();
  });

  /** Its messages, each as its subject and flags. */
  const inFolder = async (path: string) => {
    const { exists } = await other.mailboxOpen(path);
    const found: string[] = [];
    if (exists > 0)
      for await (const { envelope, flags = new Set<string>() } of other.fetch('1:*', { envelope: true, flags: true }))
        found.push([envelope?.subject, ...[...flags].filter((flag) => flag !== '\\Recent').toSorted()].join(' '));
    return found;
  };
  const resolved = () =>
    eventually(
      async () => {
        const pending = { mailboxId: mailbox.id, providerChangesSince: { $gt: new Date(0) } };
        expect(await stack.collections.emails.countDocuments(pending)).toBe(0);
      },
      SOON,
      200,
    );
  const mail = (subject: string, text: string) => ({
    mailboxId: mailbox.id,
    to: [{ email: 'bob@x.test' }],
    subject,
    body: { text },
  });

  it('a send whose answer was lost is completed by the copy that its provider has filed, and is not sent again', async () => {
    const send = () =>
      workspace.send.post('/drafts/send', mail('lost', 'please cut'), { headers: { 'Idempotency-Key': 'lost' } });
    expect((await send()).status).toBe(408);
    const caught = () => sink.caught.filter(({ raw }) => raw.includes('Subject: lost'));
    expect(caught()).toHaveLength(1);
    await other.append('Sent', caught()[0]?.raw ?? '', ['\\Seen']);
    await eventually(async () => expect((await send()).status).toBe(200), SOON, 1_000);
    await resolved();
    expect(caught()).toHaveLength(1);
    expect(await inFolder('Sent')).toEqual(['lost \\Seen']);
    expect(await mailbox.shown()).toMatchObject({ lost: { folder: 'Sent' } });
  });

  it('a change that it refuses again and again is undone here, and no change is left pending', async () => {
    wire.refuse(/ UID (MOVE|STORE) /);
    const { first } = await mailbox.shown();
    const before = wire.refusals();
    await workspace.write.delete(`/emails/${first?.id}`);
    await resolved();
    expect(wire.refusals() - before).toBe(5);
    expect(await mailbox.shown()).toEqual({ first });
    await workspace.write.patch(`/emails/${first?.id}`, { isRead: true });
    await resolved();
    expect(await mailbox.shown()).toEqual({ first });
    expect(await inFolder('INBOX')).toEqual(['first']);
  });
});
