import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { ImapFault } from '../imap/imap-fault.ts';
import type { SessionDeps } from '../session/session.ts';
import { keepConnected } from './keep-connected.ts';

const unavailable = Object.assign(new Error('no database'), { name: 'MongoNetworkError' });

it.each([
  ['a service of ours or the database was unavailable, a minute after it is back', unavailable, 40, 90],
  [
    'its provider was unavailable, a quarter of an hour after, so that nobody hammers at it',
    new ImapFault('network', 'away'),
    2,
    8,
  ],
])('a mailbox is tried again where %s', async (_why, error, least, most) => {
  const clock = manualClock();
  let tries = 0;
  const deps = {
    context: { clock, log: silentLog },
    failures: { add: () => undefined },
    mailboxes: { find: async () => (tries++, Promise.reject(error)) },
    access: { recordSync: async () => ({ status: 'active' }) },
  } as unknown as SessionDeps;
  const lease = { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 };
  const keeping = keepConnected(lease, deps, () => true);
  const pass = async (minutes: number) => {
    for (let minute = 0; minute < minutes * 4; minute++) await clock.advance(15_000);
  };
  await pass(120);
  const before = tries;
  await pass(60);
  expect(tries - before).toBeGreaterThanOrEqual(least);
  expect(tries - before).toBeLessThanOrEqual(most);
  await keeping.stop();
});
