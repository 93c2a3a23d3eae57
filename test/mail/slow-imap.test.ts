import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, expect, it, jest } from '@jest/globals';
import type { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { type ManualClock, manualClock } from '@postroom/runtime/clock';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { noTracing } from '@postroom/runtime/tracing';
import { openConnection } from '../../services/mailbox-sync/src/imap/open-connection.ts';
import { ingestMessages } from '../../services/mailbox-sync/src/scanning/ingest-messages.ts';
import type { FolderState, Session } from '../../services/mailbox-sync/src/session/session.ts';
import { type ImapLines, openImapLines } from '../support/imap-lines.ts';

jest.setTimeout(60_000);
const MEGABYTE = 1024 * 1024;
const CAPABILITIES = 'IMAP4rev1 NAMESPACE UIDPLUS SASL-IR AUTH=PLAIN';
const SELECTED = ['* 1 EXISTS', '* OK [UIDVALIDITY 7] ok', '* OK [UIDNEXT 2] ok'];
const PATIENT_MS = 3_600_000;
const { signal } = new AbortController();

const servers: ImapLines[] = [];
const connections: { close(): void }[] = [];
afterEach(async () => {
  for (const connection of connections.splice(0)) connection.close();
  for (const server of servers.splice(0)) await server.close();
});

/** A server with one message of this size, of which it sends no more than this at first and the rest a byte at a time. */
async function openServer(size: number, manner: { sent: number }) {
  const counted = { fetches: 0 };
  const server = await openImapLines(
    (peer) => (peer.say(`* OK [CAPABILITY ${CAPABILITIES}] ready`), peer),
    (peer, { text }) => {
      if (text.startsWith('NAMESPACE')) peer.say('* NAMESPACE (("" "/")) NIL NIL');
      if (text.startsWith('SELECT')) return (peer.say(...SELECTED), 'OK [READ-WRITE] done');
      if (text.startsWith('UID FETCH') && text.includes('RFC822.SIZE'))
        peer.say(`* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${size})`);
      else if (text.startsWith('UID FETCH')) {
        counted.fetches += 1;
        peer.say(`* 1 FETCH (UID 1 BODY[]<0> {${size}}`, Buffer.alloc(Math.min(size, manner.sent), 'x'));
        if (manner.sent < size) return undefined;
        peer.say(')');
      }
      return 'OK done';
    },
  );
  servers.push(server);
  return { ...server, counted };
}

function openPod() {
  const clock = manualClock();
  const bytes = createBytesInFlight(140 * MEGABYTE);
  const stored: string[] = [];
  const context = { clock, tracing: noTracing };

  const takeFrom = async (owner: string, { address }: Pick<ImapLines, 'address'>): Promise<string> => {
    const access = { imapAddress: address, user: owner, password: 'p' };
    const connection = await openConnection(access, { timeoutMs: PATIENT_MS, clock, signal });
    connections.push(connection);
    await connection.open('INBOX');
    const session = {
      connection,
      writer: { ingest: async (messages: IncomingMessage[]) => void (messages.length > 0 && stored.push(owner)) },
      labelFolders: [],
      lease: { workspaceId: owner },
      stopped: new AbortController().signal,
      deps: { bytes, taken: { add: () => undefined }, unanswered: createRecentIds(10), context },
    } as unknown as Session;
    const state = { folder: { id: 'fld_1', type: 'INBOX' }, sync: { uidValidity: 7 } } as unknown as FolderState;
    return ingestMessages(session, state, [1], { onStored: async () => undefined, isHistory: () => false }).then(
      () => 'stored',
      (error: Error) => error.message,
    );
  };
  return { clock, stored, takeFrom };
}

const until = async (check: () => boolean) => {
  for (let tries = 0; !check(); tries += 1) {
    if (tries > 5_000) throw new Error('what was waited for did not come');
    await wait(2);
  }
};

/** On a slow machine a window may pass before what the test has begun waits for its room. */
async function passWindows(clock: ManualClock, check: () => boolean): Promise<void> {
  for (let window = 0; window < 20 && !check(); window += 1) {
    await clock.advance(16_000);
    for (let tries = 0; tries < 100 && !check(); tries += 1) await wait(2);
  }
}

it.each([25, 8])(
  'mailboxes that send %d MB a byte at a time delay no small message, and no large one of others for long',
  async (megabytes) => {
    const { clock, stored, takeFrom } = openPod();
    const manner = { sent: 1 };
    const slow = await Promise.all(Array.from({ length: 12 }, () => openServer(megabytes * MEGABYTE, manner)));
    const taking = slow.map((server, at) => takeFrom(`slow ${at % 6}`, server));
    const begun = () => slow.filter(({ counted }) => counted.fetches > 0).length;
    await until(() => begun() >= 2);

    const small = await openServer(20_000, { sent: MEGABYTE });
    expect(await takeFrom('small', small)).toBe('stored');

    const large = await openServer(12 * MEGABYTE, { sent: 12 * MEGABYTE });
    const waiting = takeFrom('large', large);
    await passWindows(clock, () => stored.includes('large'));
    expect(await waiting).toBe('stored');
    expect(stored).toEqual(['small', 'large']);
    for (const connection of connections) connection.close();
    await Promise.all(taking);
  },
);

it('a slow message is left when another owner waits for its room, and is taken when it is tried again', async () => {
  const { clock, stored, takeFrom } = openPod();
  const manner = { sent: 1 };
  const servers = await Promise.all(['one', 'two'].map(() => openServer(25 * MEGABYTE, manner)));
  const taking = servers.map(async (server, at) => ({ at, server, end: await takeFrom(`slow ${at}`, server) }));
  await until(() => servers.every(({ counted }) => counted.fetches === 1));
  await clock.advance(60_000);
  const third = takeFrom('third', await openServer(25 * MEGABYTE, { sent: 25 * MEGABYTE }));
  await passWindows(clock, () => stored.includes('third'));
  const { at, server, end } = await Promise.race(taking);
  expect(end).toBe('the provider sends a message so slowly that others would wait for it');
  expect(await third).toBe('stored');
  manner.sent = 25 * MEGABYTE;
  expect(await takeFrom(`slow ${at}`, server)).toBe('stored');
  expect(stored).toEqual(['third', `slow ${at}`]);
});
