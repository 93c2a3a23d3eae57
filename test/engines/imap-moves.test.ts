import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import type { ImapFlow } from 'imapflow';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { BRISK, startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

jest.setTimeout(600_000);
const SOON = 120_000;
const MESSAGES = process.env['POSTROOM_FULL'] ? 300 : 60;
const AT_ONCE = 20;
const TOKEN = randomBytes(16).toString('hex');
const byUid = { uid: true } as const;

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('moves by COPY and EXPUNGE (IMAP_ADDR and MAIL_CONTROL are not given)');

(address && command ? describe : describe.skip)('messages that another client moves by COPY and EXPUNGE', () => {
  const server = mailServer(address ?? '', command ?? '');
  let stack: SyncedStack;
  let port: number;
  const victims = new Map<string, ServiceProcess>();

  beforeAll(async () => {
    // The stack's own takes no mailboxes: those are the victims'.
    stack = await startSyncedStack({ MAX_MAILBOXES: '0', MAILBOX_ACCESS_TOKEN: TOKEN });
    port = await freePort(0);
    await start('mailbox-write');
    await start('mailbox-sync');
  });
  afterAll(async () => {
    for (const victim of victims.values()) await victim.kill();
    await stack.close();
  });

  const start = async (name: 'mailbox-write' | 'mailbox-sync') => {
    const writes = { GRPC_PORT: `${port}`, OPERATOR_PORT: '0' };
    const keeps = {
      ...BRISK,
      MAILBOX_LEASE: '2s',
      MAILBOX_WRITE_ADDR: `127.0.0.1:${port}`,
      WORKSPACE_OPERATOR_ADDR: stack.addresses.WORKSPACE_OPERATOR_ADDR,
      MAILBOX_ACCESS_TOKEN: TOKEN,
      GRPC_PORT: '0',
    };
    const own = name === 'mailbox-write' ? writes : keeps;
    victims.set(name, await startServiceProcess(name, { MONGODB_URI: stack.mongodbUri, ...own }));
  };
  const killAndStart = async (name: 'mailbox-write' | 'mailbox-sync') => {
    await victims.get(name)?.kill();
    await start(name);
  };

  /** With stars in every third, and a label on all. */
  const connected = async (workspace: TestWorkspace) => {
    const user = await server.user();
    const other = await server.client(user);
    for (let n = 0; n < MESSAGES; n++)
      await other.append(
        'INBOX',
        `Subject: mail ${n}\r\nMessage-ID: <${n}@${user}>\r\n\r\nHello`,
        n % 3 === 0 ? ['\\Flagged'] : [],
      );
    if (!(await other.list()).some(({ path }) => path === 'Archive')) await other.mailboxCreate('Archive');
    const mailbox = await stack.connectUser(workspace, user, server.address);
    await eventually(async () => expect(Object.keys(await mailbox.shown())).toHaveLength(MESSAGES), SOON, 1_000);
    const label = await workspace.write.post('/labels', { name: 'Kept', color: 'Red' });
    const emailIds = Object.values(await mailbox.shown()).map(({ id }) => id);
    await workspace.write.post('/emails/bulk', { action: 'applyLabel', labelId: label.body.label.id, emailIds });
    return { other, mailbox, emailIds, labelId: label.body.label.id as string };
  };

  const moveAll = async (other: ImapFlow) => {
    await other.mailboxOpen('INBOX');
    const uids = (await other.search({ all: true }, byUid)) as number[];
    for (let from = 0; from < uids.length; from += AT_ONCE) {
      const some = uids.slice(from, from + AT_ONCE).join();
      await other.messageCopy(some, 'Archive', byUid);
      await pause((from / AT_ONCE) % 2 === 0 ? 1_500 : 50);
      await other.messageDelete(some, byUid);
    }
  };

  /** Every email is starred by a call of its own and read by one with many others. */
  const changeAll = async (workspace: TestWorkspace, emailIds: readonly string[]) => {
    for (const [n, emailId] of emailIds.entries()) {
      const { status } = await workspace.write.patch(`/emails/${emailId}`, { isStarred: true });
      expect([emailId, status]).toEqual([emailId, 200]);
      if (n % AT_ONCE === 0) await workspace.write.post('/emails/bulk', { action: 'markRead', isRead: true, emailIds });
      await pause(20);
    }
  };

  const endsWell = (mailbox: SyncedMailbox, workspace: TestWorkspace, emailIds: readonly string[], labelId: string) =>
    eventually(
      async () => {
        const shown = Object.values(await mailbox.shown());
        expect(shown.map(({ id }) => id).toSorted()).toEqual(emailIds.toSorted());
        expect(shown.filter(({ folder }) => folder !== 'Archive')).toEqual([]);
        expect(shown.filter(({ isStarred, isRead }) => !isStarred || !isRead)).toEqual([]);
        const filters = { id: 'c', label: 'label', type: 'not_contains', value: labelId };
        const path = `/emails?mailboxId=${mailbox.id}&filters=${encodeURIComponent(JSON.stringify(filters))}`;
        expect((await workspace.read.get(path)).body.items).toEqual([]);
      },
      SOON,
      1_000,
    );

  it('keep their ids, labels, stars and read state while single and bulk calls change them', async () => {
    const workspace = await stack.workspace();
    const { other, mailbox, emailIds, labelId } = await connected(workspace);
    await Promise.all([moveAll(other), changeAll(workspace, emailIds)]);
    await endsWell(mailbox, workspace, emailIds, labelId);
    other.close();
  });

  it('keep them also while mailbox-sync and mailbox-write are killed', async () => {
    const workspace = await stack.workspace();
    const { other, mailbox, emailIds, labelId } = await connected(workspace);
    let isOver = false;
    const kill = async () => {
      for (let n = 0; !isOver; n += 1) {
        await pause(500 + ((n * 700) % 1_500));
        await killAndStart(n % 2 === 0 ? 'mailbox-write' : 'mailbox-sync');
      }
    };
    const changes = Promise.all([moveAll(other), changeAll(workspace, emailIds)]).finally(() => {
      isOver = true;
    });
    await Promise.all([changes, kill()]);
    await endsWell(mailbox, workspace, emailIds, labelId);
    other.close();
  });
});
