import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';
import { openTcpProxy, type TcpProxy } from './tcp-proxy.ts';

jest.setTimeout(600_000);
const SOON = 140_000;
const MESSAGES = 900;

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('mail servers that go away (IMAP_ADDR and MAIL_CONTROL are not given)');

(address && command ? describe : describe.skip)('a mail server that goes away', () => {
  const server = mailServer(address ?? '', command ?? '');
  let stack: SyncedStack;
  let workspace: TestWorkspace;
  let proxy: TcpProxy;
  beforeAll(async () => {
    // A busy machine takes seconds to answer, and that is no outage.
    stack = await startSyncedStack({ IMAP_TIMEOUT: '10s' });
    workspace = await stack.workspace();
    const [host = '', port] = server.address.split(':');
    proxy = await openTcpProxy(host, Number(port));
  });
  afterAll(async () => {
    await stack.close();
    await proxy.close();
  });
  const inbox = async (mailbox: SyncedMailbox) =>
    (await mailbox.state()).folders.find(({ type }) => type === 'INBOX') ?? { done: 0, total: 0, isComplete: false };
  const stored = (mailbox: SyncedMailbox) =>
    stack.collections.emails.countDocuments({ workspaceId: workspace.id, mailboxId: mailbox.id });

  it.each([
    ['is killed', () => proxy.cut(), () => proxy.restore()],
    ['stands still', async () => proxy.freeze(), async () => proxy.thaw()],
  ])(
    'and %s in a first sync is gone on with, nothing is doubled, and that it was unavailable is told',
    async (_how, cutOff, giveBack) => {
      const user = await server.user();
      await server.control('message', 'load', user, 'INBOX', String(MESSAGES));
      const mailbox = await stack.connectUser(workspace, user, `127.0.0.1:${proxy.port}`);
      await eventually(async () => expect((await inbox(mailbox)).done).toBeGreaterThan(0), SOON, 20);
      await cutOff();
      await eventually(async () => expect((await mailbox.state()).failCount).toBeGreaterThan(0), SOON, 100);
      expect((await mailbox.state()).lastError).toMatch(/^the (connection to the )?provider /);
      await giveBack();
      await eventually(async () => expect((await inbox(mailbox)).isComplete).toBe(true), SOON, 200);
      expect(await stored(mailbox)).toBe(MESSAGES);
      const client = await server.client(user);
      await client.append('INBOX', 'Subject: after\r\n\r\nHello');
      await eventually(async () => expect(await stored(mailbox)).toBe(MESSAGES + 1), SOON, 200);
      client.close();
    },
  );

  it('and lets nobody in with this password is told as a refusal, and asked again only later', async () => {
    const user = await server.user();
    const mailbox = await stack.connectUser(workspace, `not-${user}`, server.address);
    await eventually(async () => expect((await mailbox.state()).failCount).toBe(1), SOON, 100);
    expect((await mailbox.state()).lastError).toBe('the provider refused the login (AUTHENTICATIONFAILED)');
  });
});
