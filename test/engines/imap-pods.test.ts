import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { eventually } from './eventually.ts';
import { mailServer } from './support/mail-server.ts';
import { BRISK, startSyncedStack, type SyncedMailbox, type SyncedStack } from './support/synced-mailbox.ts';

jest.setTimeout(600_000);
const IS_FULL = Boolean(process.env['POSTROOM_FULL']);
const MAILBOXES = IS_FULL ? 100 : 9;
const LEASE = IS_FULL ? '20s' : '4s';
const SOON = 120_000;
const TOKEN = randomBytes(16).toString('hex');

const { IMAP_ADDR: address, MAIL_CONTROL: command } = process.env;
if (!address || !command) skipAloud('mailboxes shared between pods (IMAP_ADDR and MAIL_CONTROL are not given)');

(address && command ? describe : describe.skip)(`${MAILBOXES} mailboxes between several pods`, () => {
  const server = mailServer(address ?? '', command ?? '');
  const users: string[] = [];
  let stack: SyncedStack;
  let workspaces: TestWorkspace[];
  let mailboxes: SyncedMailbox[] = [];
  let pods: ServiceProcess[] = [];

  beforeAll(async () => {
    stack = await startSyncedStack({ MAX_MAILBOXES: '0', MAILBOX_ACCESS_TOKEN: TOKEN });
    for (let n = 0; n < MAILBOXES; n++) users.push(await server.user());
  });
  afterEach(async () => {
    for (const pod of pods) await pod.kill();
    for (const { id } of mailboxes) await stack.workspaces.disconnectMailbox({ mailboxId: id }, {});
    await stack.collections.mailboxLeases.deleteMany({});
    pods = [];
  });
  afterAll(() => stack?.close());

  const start = () =>
    startServiceProcess('mailbox-sync', {
      ...BRISK,
      MONGODB_URI: stack.mongodbUri,
      MAILBOX_WRITE_ADDR: stack.addresses.MAILBOX_WRITE_ADDR,
      WORKSPACE_OPERATOR_ADDR: stack.addresses.WORKSPACE_OPERATOR_ADDR,
      MAILBOX_ACCESS_TOKEN: TOKEN,
      MAILBOX_LEASE: LEASE,
      // Slow claims keep the first pod from claiming every mailbox.
      CLAIMS_PER_SECOND: String(Math.ceil(MAILBOXES / 6)),
      GRPC_PORT: '0',
    });
  const append = async (subject: string, some = users) => {
    for (const user of some) {
      const client = await server.client(user);
      await client.append('INBOX', `Subject: ${subject}\r\nMessage-ID: <${subject}-${user}>\r\n\r\nHello`);
      client.close();
    }
  };
  const connectAll = async () => {
    workspaces = await Promise.all([1, 2, 3, 4].map(() => stack.workspace()));
    mailboxes = [];
    for (const [n, user] of users.entries())
      mailboxes.push(await stack.connectUser(workspaces[n % 4] as TestWorkspace, user, server.address));
  };
  /** Number of emails with this subject in each mailbox. A duplicate gives 2. */
  const counts = async (subject: string) => {
    const emails = await stack.collections.emails.find({ subject }, { mailboxId: 1 }).lean();
    return mailboxes.map(({ id }) => emails.filter(({ mailboxId }) => mailboxId === id).length);
  };
  const everywhere = (subject: string) =>
    eventually(async () => expect(await counts(subject)).toEqual(mailboxes.map(() => 1)), SOON, 200);
  const owners = async () => {
    const ids = mailboxes.map(({ id }) => id);
    const leases = await stack.collections.mailboxLeases.find({ _id: { $in: ids } }, { owner: 1, epoch: 1 }).lean();
    return new Map(leases.map(({ _id, owner, epoch }) => [_id, { owner, epoch }]));
  };

  it('one of three is killed: its mailboxes are kept by the others once its leases are over, and nothing is there twice', async () => {
    await append('before');
    pods = await Promise.all([start(), start(), start()]);
    await connectAll();
    await everywhere('before');
    const held = await owners();
    const sharing = new Set([...held.values()].map(({ owner }) => owner));
    expect(sharing.size).toBe(3);
    await pods.shift()?.kill();
    const since = Date.now();
    await append('after');
    await eventually(
      async () => expect([...(await owners()).values()].filter(({ epoch }) => epoch > 1).length).toBeGreaterThan(0),
      SOON,
      100,
    );
    await everywhere('after');
    const seconds = (Date.now() - since) / 1_000;
    const taken = [...(await owners()).values()].filter(({ epoch }) => epoch > 1).length;
    console.log(
      `${MAILBOXES} mailboxes, lease ${LEASE}: ${taken} taken over, all mail there ${seconds.toFixed(1)} s after`,
    );
    expect(await counts('before')).toEqual(mailboxes.map(() => 1));
    // The promise of 30 s is for the full number of mailboxes and for leases of production length.
    if (IS_FULL) expect(seconds).toBeLessThan(30);
  });

  it('one stands still over its leases and goes on: it changes nothing any more, neither here nor there', async () => {
    pods = [await start()];
    await connectAll();
    const [mailbox, workspace] = [mailboxes[0] as SyncedMailbox, workspaces[0] as TestWorkspace];
    await append('marked', [mailbox.user]);
    await eventually(async () => expect(await mailbox.shown()).toHaveProperty('marked'), SOON);
    const { marked } = await mailbox.shown();
    const stale = pods[0] as ServiceProcess;
    // The pod knows of this pending change, and is paused before it can apply it.
    await workspace.write.patch(`/emails/${marked?.id}`, { isStarred: true });
    stale.pause();
    pods.push(await start());
    await eventually(async () => expect((await owners()).get(mailbox.id)?.epoch).toBe(2), SOON, 100);
    const client = await server.client(mailbox.user);
    await client.mailboxOpen('INBOX');
    const uid = ((await client.search({ subject: 'marked' }, { uid: true })) as number[])[0] as number;
    const isFlagged = async () =>
      (await client.fetchOne(uid, { flags: true }, { uid: true })) as { flags: Set<string> };
    await eventually(async () => expect([...(await isFlagged()).flags]).toContain('\\Flagged'), SOON, 200);
    // The new owner has applied the pending change. Now another client reverts it.
    await client.messageFlagsRemove(uid, ['\\Flagged'], { uid: true });
    await eventually(async () => expect((await mailbox.shown())['marked']?.isStarred).toBe(false), SOON, 200);
    stale.resume();
    await append('news', [mailbox.user]);
    await eventually(async () => expect(await mailbox.shown()).toHaveProperty('news'), SOON, 200);
    await eventually(() => expect(stale.said()).toContain('mailboxes released'), SOON, 100);
    expect([...(await isFlagged()).flags]).not.toContain('\\Flagged');
    expect((await mailbox.shown())['marked']?.isStarred).toBe(false);
    client.close();
  });
});
