import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { LeaseLost } from '../leases/lease-lost.ts';
import { memoryLeases } from '../leases/memory-leases.test-support.ts';
import type { SessionDeps } from '../session/session.ts';
import { openSession } from './open-session.ts';

const INBOX = { id: 'fld_1', path: 'INBOX', name: 'INBOX', type: 'INBOX' } as const;
const clock = manualClock();
const end = new Date(clock.now() + 60_000);

function depsWith(leases: SessionDeps['leases']): SessionDeps {
  return {
    context: { clock, log: silentLog },
    mailboxes: { find: async () => ({ status: 'active', createdAt: clock.date(), folders: [INBOX] }) },
    folderSyncs: { takeOver: async () => [] },
    leases,
    access: {
      getMailboxAccess: async () => ({ imapAddress: '127.0.0.1:1' }),
      recordSync: async () => ({ status: 'active', folders: [INBOX] }),
    },
    connect: async () => ({
      has: () => false,
      list: async () => [{ path: 'INBOX', name: 'INBOX', delimiter: '/', parent: [], flags: new Set() }],
      close: () => undefined,
    }),
    loginRate: async () => undefined,
  } as unknown as SessionDeps;
}

async function claimed() {
  const leases = memoryLeases();
  await leases.register([{ _id: 'mbx_1', workspaceId: 'wsp_1' }]);
  const lease = await leases.claim('mbx_1', 'one', clock.date(), end);
  if (!lease) throw new Error('the lease of the test is not free');
  const open = () =>
    openSession(lease, depsWith(leases), { signal: new AbortController().signal, isHeld: () => true, lateUntil: 0 });
  return { leases, lease, open };
}

it('a session begins a pass behind every pass of the sessions before it, so that what was missing there is missed again', async () => {
  const { leases, lease, open } = await claimed();
  const first = await open();
  // As at the end of a pass.
  await leases.beginPass(lease, first.pass + 4);
  const second = await open();
  const third = await open();
  expect(second.pass).toBeGreaterThan(first.pass + 4);
  expect(third.pass).toBeGreaterThan(second.pass);
  expect([first, second, third].map(({ pass, searchUntil }) => searchUntil - pass)).toEqual([2, 2, 2]);
});

it('no session begins when another process holds the mailbox', async () => {
  const { leases, open } = await claimed();
  await leases.claim('mbx_1', 'other', new Date(end.getTime() + 1), new Date(end.getTime() + 60_000));
  await expect(open()).rejects.toThrow(LeaseLost);
});
