import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import type { ImapConnection } from '../../services/mailbox-sync/src/imap/imap-connection.ts';
import { createOnDemandSlotStore } from '../../services/mailbox-sync/src/leases/on-demand-slot-store.ts';
import { createLeaseStore } from '../../services/mailbox-sync/src/leases/lease-store.ts';
import { createOnDemandLogin } from '../../services/mailbox-sync/src/raw/on-demand-login.ts';
import { createSharedConnections } from '../../services/mailbox-sync/src/raw/shared-connections.ts';
import { type MailboxWorld, openMailboxWorld } from './mailbox-world.ts';

const PODS = 10;
const READS = 500;
const SLOTS = 3;
const patient = new AbortController().signal;
const nextImmediate = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('connections of a mailbox that read single messages', () => {
  let world: MailboxWorld;
  beforeAll(async () => {
    world = await openMailboxWorld();
  });
  afterAll(() => world.close());

  /** A mailbox, the places that all processes share, and what they have open of it. */
  const open = async () => {
    const mailbox = { workspaceId: randomIds('wsp'), mailboxId: randomIds('mbx') };
    await createLeaseStore(world.collections).register([{ _id: mailbox.mailboxId, workspaceId: mailbox.workspaceId }]);
    const onDemandSlots = createOnDemandSlotStore(world.collections);
    const count = { now: 0, most: 0, logins: 0 };
    const logIn = async () => {
      count.logins += 1;
      count.most = Math.max(count.most, (count.now += 1));
      return { close: () => void (count.now -= 1) } as unknown as ImapConnection;
    };
    const context = { clock: systemClock, ids: randomIds, log: silentLog };
    const mailboxes = { find: async () => null };
    const pod = (login = logIn) =>
      createSharedConnections({
        logIn: createOnDemandLogin({ onDemandSlots, mailboxes, logIn: login, context }),
        clock: systemClock,
      });
    return { mailbox, onDemandSlots, count, pod };
  };

  it('are few however many processes read, and each read is served within its time', async () => {
    const { mailbox, count, pod } = await open();
    const pods = Array.from({ length: PODS }, () => pod());
    let served = 0;
    const read = async () => {
      await nextImmediate();
      served += 1;
    };
    const inTime = AbortSignal.timeout(10_000);
    await Promise.all(Array.from({ length: READS }, async (_, n) => pods[n % PODS]?.use(mailbox, inTime, read)));
    expect([served, count.most]).toEqual([READS, SLOTS]);
    expect(count.logins).toBeLessThanOrEqual(2 * PODS);
    for (const one of pods) one.close();
    expect(count.now).toBe(0);
  });

  it('are given up by who cannot log in, and by who has died, in the end', async () => {
    const { mailbox, onDemandSlots, count, pod } = await open();
    const refused = () => Promise.reject(new Error('not today'));
    for (let n = 0; n < 2 * SLOTS; n += 1)
      await expect(pod(refused).use(mailbox, patient, nextImmediate)).rejects.toThrow('not today');
    const [now, later] = [new Date(), new Date(Date.now() + 60_000)];
    const enter = (connectionId: string, at: Date, until: Date) =>
      onDemandSlots.enter(mailbox.workspaceId, mailbox.mailboxId, { connectionId, now: at, until, slots: SLOTS });
    await expect(enter('one', now, later)).resolves.toBe('free');
    await expect(enter('two', now, later)).resolves.toBe('free');
    await expect(enter('three', now, later)).resolves.toBe('last');
    await expect(enter('four', now, later)).resolves.toBe('none');
    const hasty = AbortSignal.timeout(500);
    await expect(pod().use(mailbox, hasty, nextImmediate)).rejects.toThrow();
    expect(count.logins).toBe(0);
    await expect(enter('four', new Date(later.getTime() + 1), new Date(later.getTime() + 60_000))).resolves.toBe(
      'free',
    );
  });
});
