import { afterEach, expect, it, jest } from '@jest/globals';
import type { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { createRecentIds } from '@postroom/runtime/recent-ids';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { systemClock as clock } from '@postroom/runtime/clock';
import { noTracing } from '@postroom/runtime/tracing';
import { openConnection } from '../../services/mailbox-sync/src/imap/open-connection.ts';
import { ingestMessages } from '../../services/mailbox-sync/src/scanning/ingest-messages.ts';
import type { FolderState, Session } from '../../services/mailbox-sync/src/session/session.ts';
import { type ImapLines, openImapLines } from '../support/imap-lines.ts';

jest.setTimeout(60_000);
const MEGABYTE = 1024 * 1024;
const CAPABILITIES = 'IMAP4rev1 NAMESPACE UIDPLUS SASL-IR AUTH=PLAIN';
const SELECTED = ['* 1 EXISTS', '* OK [UIDVALIDITY 7] ok', '* OK [UIDNEXT 2] ok'];
const RAW = Buffer.from('Subject: large\r\n\r\nhello');
const TEXT = '("TEXT" "PLAIN" NIL NIL NIL "7BIT" 5 1)';
const file = (name: string, size: number) =>
  `("APPLICATION" "PDF" NIL NIL NIL "BASE64" ${size} NIL ("ATTACHMENT" ("FILENAME" "${name}")))`;

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** A server with one message of this size, whose structure it tells as `structure` says: in a line, or by a refusal. */
async function openServer(size: number, structure: () => string) {
  const counted = { structures: 0 };
  const server = await openImapLines(
    (peer) => (peer.say(`* OK [CAPABILITY ${CAPABILITIES}] ready`), peer),
    (peer, { text }) => {
      if (text.startsWith('NAMESPACE')) peer.say('* NAMESPACE (("" "/")) NIL NIL');
      if (text.startsWith('SELECT')) return (peer.say(...SELECTED), 'OK [READ-WRITE] done');
      if (!text.startsWith('UID FETCH')) return 'OK done';
      if (text.includes('RFC822.SIZE')) peer.say(`* 1 FETCH (UID 1 FLAGS () RFC822.SIZE ${size})`);
      else if (text.includes('BODYSTRUCTURE')) {
        counted.structures += 1;
        const told = structure();
        if (told === 'NO') return 'NO not now';
        peer.say(`* 1 FETCH (UID 1 BODYSTRUCTURE ${told})`);
      } else peer.say(`* 1 FETCH (UID 1 BODY[]<0> {${RAW.length}}`, RAW, ')');
      return 'OK done';
    },
  );
  closers.push(server.close);
  return { ...server, counted };
}

const { signal } = new AbortController();

/** A process that connects once for each call, as its mailbox is connected again after a fault. */
function openProcess({ address }: ImapLines) {
  const taken: IncomingMessage[] = [];
  const deps = {
    bytes: createBytesInFlight(140 * MEGABYTE),
    undescribed: new Set<string>(),
    unanswered: createRecentIds(10),
    taken: { add: () => undefined },
    context: { clock, tracing: noTracing },
  };
  const connectOnce = async (): Promise<string> => {
    const connection = await openConnection(
      { imapAddress: address, user: 'u', password: 'p' },
      { timeoutMs: 20_000, clock, signal },
    );
    closers.push(connection.close);
    await connection.open('INBOX');
    const session = {
      connection,
      writer: { ingest: async (messages: IncomingMessage[]) => void taken.push(...messages) },
      labelFolders: [],
      lease: { workspaceId: 'w' },
      stopped: new AbortController().signal,
      deps,
    } as unknown as Session;
    const state = { folder: { id: 'fld_1', type: 'INBOX' }, sync: { uidValidity: 7 } } as unknown as FolderState;
    return ingestMessages(session, state, [1], { onStored: async () => undefined, isHistory: () => false }).then(
      () => 'stored',
      (error: Error) => error.message,
    );
  };
  return { taken, connectOnce, deps };
}

it('a message over the limit is handed on with all of its attachments, with their decoded sizes', async () => {
  const structure = `(${TEXT}${file('a.pdf', 780)}${file('b.pdf', 78_000_000)} "MIXED" ("BOUNDARY" "b"))`;
  const { taken, connectOnce } = openProcess(await openServer(80 * MEGABYTE, () => structure));
  expect(await connectOnce()).toBe('stored');
  const mimeType = 'application/pdf';
  expect(taken[0]?.described?.items).toEqual([
    { filename: 'a.pdf', size: 570, mimeType },
    { filename: 'b.pdf', size: 57_000_000, mimeType },
  ]);
});

it('a message within the limit costs no question for its structure', async () => {
  const server = await openServer(25 * MEGABYTE, () => TEXT);
  const { taken, connectOnce } = openProcess(server);
  expect(await connectOnce()).toBe('stored');
  expect([taken[0]?.described, server.counted.structures]).toEqual([undefined, 0]);
});

it('a message whose structure the provider refuses to tell is taken in without it', async () => {
  const { taken, connectOnce } = openProcess(await openServer(80 * MEGABYTE, () => 'NO'));
  expect(await connectOnce()).toBe('stored');
  expect(taken).toMatchObject([{ raw: RAW }]);
  expect(taken[0]?.described).toBeUndefined();
});

it('a message whose structure is nested more deeply than can be read is taken in', async () => {
  const deep = `${'('.repeat(100_000)}${TEXT}${' "MIXED")'.repeat(100_000)}`;
  const { taken, connectOnce } = openProcess(await openServer(80 * MEGABYTE, () => deep));
  expect(await connectOnce()).toBe('stored');
  expect(taken).toHaveLength(1);
});

it('a message whose structure is longer than any line breaks one connection, and the next one takes it in', async () => {
  const long = `(${file('a.pdf', 1).repeat(40_000)} "MIXED")`;
  const server = await openServer(80 * MEGABYTE, () => long);
  const { taken, connectOnce } = openProcess(server);
  expect(await connectOnce()).not.toBe('stored');
  expect(await connectOnce()).toBe('stored');
  expect([taken.length, taken[0]?.described, server.counted.structures]).toEqual([1, undefined, 1]);
});
