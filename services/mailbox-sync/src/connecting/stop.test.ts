import { afterEach, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { type ImapLines, openImapLines } from '../../../../test/support/imap-lines.ts';
import { openConnection } from '../imap/open-connection.ts';
import type { ImapAccess } from '../imap/imap-server.ts';
import type { SessionDeps } from '../session/session.ts';
import { keepConnected } from './keep-connected.ts';

const SOON_MS = 1_000;
const LEASE = { workspaceId: 'wsp_1', mailboxId: 'mbx_1', epoch: 1 };

let server: ImapLines | undefined;
afterEach(() => server?.close());

/** Greets and answers every command, until the named one comes. */
async function serverSilentFrom(silent: string) {
  let hear = () => {};
  const heard = new Promise<void>((resolve) => (hear = resolve));
  server = await openImapLines(
    (peer) => {
      if (silent === 'greeting') hear();
      else peer.say('* OK [CAPABILITY IMAP4rev1 LIST-STATUS] ready');
      return peer;
    },
    (_peer, { text }) => {
      if (!text.startsWith(silent)) return 'OK done';
      hear();
      return undefined;
    },
  );
  return { heard, address: server.address };
}

const depsFor = (imapAddress: string) =>
  ({
    context: { clock: systemClock, log: silentLog },
    failures: { add: () => undefined },
    mailboxes: { find: async () => ({ status: 'active', createdAt: new Date(), folders: [] }) },
    folderSyncs: { takeOver: async () => [] },
    leases: { firstPass: async () => 1 },
    access: {
      getMailboxAccess: async () => ({ imapAddress, user: 'ann', password: 'secret' }),
      recordSync: async () => ({ status: 'active', folders: [] }),
    },
    connect: (access: ImapAccess, signal: AbortSignal) =>
      openConnection(access, { timeoutMs: 5_000, clock: systemClock, signal }),
    loginRate: async () => undefined,
  }) as unknown as SessionDeps;

it.each(['greeting', 'LOGIN', 'LIST'])(
  'a mailbox stops at once while its provider does not answer: %s',
  async (silent) => {
    const { heard, address } = await serverSilentFrom(silent);
    const keeping = keepConnected(LEASE, depsFor(address), () => true);
    await heard;
    const since = systemClock.now();
    await keeping.stop();
    expect(systemClock.now() - since).toBeLessThan(SOON_MS);
  },
);
