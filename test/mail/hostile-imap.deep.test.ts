import { afterEach, describe, expect, it } from '@jest/globals';
import { type Clock, manualClock, systemClock } from '@postroom/runtime/clock';
import { openConnection } from '../../services/mailbox-sync/src/imap/open-connection.ts';
import type { ImapConnection } from '../../services/mailbox-sync/src/imap/imap-connection.ts';
import { eventually } from '../engines/eventually.ts';
import { type ImapCommand, type ImapLines, type ImapPeer, openImapLines } from '../support/imap-lines.ts';

const MEGABYTE = 1024 * 1024;
const LIMIT_MS = 2_000;
const within = (timeoutMs: number, clock: Clock = systemClock) => ({
  timeoutMs,
  clock,
  signal: new AbortController().signal,
});
const CAPABILITIES = 'IMAP4rev1 NAMESPACE UIDPLUS MOVE ENABLE CONDSTORE QRESYNC IDLE SASL-IR AUTH=PLAIN';
const SELECTED = ['* 3 EXISTS', '* OK [UIDVALIDITY 7] ok', '* OK [UIDNEXT 4] ok', '* OK [HIGHESTMODSEQ 9] ok'];

/** By the beginning of a command what is said of it instead; what ends it is added where nothing is given back. */
type Lies = Record<string, (peer: ImapPeer, command: ImapCommand) => string | undefined | void>;

describe('a mail server that means no good', () => {
  let server: ImapLines | undefined;
  let connection: ImapConnection | undefined;
  let commands: string[] = [];
  const peers: ImapPeer[] = [];
  afterEach(async () => {
    connection?.close();
    connection = undefined;
    await server?.close();
  });

  const start = async (lies: Lies, greeting: string | null = `* OK [CAPABILITY ${CAPABILITIES}] ready`) => {
    commands = [];
    peers.length = 0;
    server = await openImapLines(
      (peer) => {
        if (greeting !== null) peer.say(greeting);
        peers.push(peer);
        return peer;
      },
      (peer, command) => {
        commands.push(command.text);
        const lie = Object.entries(lies).find(([start]) => command.text.toUpperCase().startsWith(start))?.[1];
        if (lie) return lie(peer, command) ?? undefined;
        return honest(peer, command);
      },
    );
    return { imapAddress: server.address, user: 'ann', password: 'p' };
  };
  const connect = async (lies: Lies, greeting?: string, limitMs = LIMIT_MS) =>
    (connection = await openConnection(await start(lies, greeting), within(limitMs)));
  const opened = async (lies: Lies) => {
    const one = await connect(lies);
    await one.open('INBOX');
    return one;
  };

  const without = { kind: 'network' };
  const tooMuch = { kind: 'network', message: 'the provider says more than it was asked for' };

  it.each([
    ['a line that never ends', (peer: ImapPeer) => peer.say(Buffer.alloc(40 * MEGABYTE, 'x'))],
    ['a message of four gigabytes', (peer: ImapPeer) => peer.say('* 1 FETCH (BODY[] {4294967296}', 'x'.repeat(99))],
    [
      'a list without end',
      (peer: ImapPeer) => peer.say(Buffer.from(`* LIST () "/" ${'a'.repeat(200)}\r\n`.repeat(100_000))),
    ],
    ['talk without end', (peer: ImapPeer) => peer.say(Buffer.from(`* OK ${'la '.repeat(200)}\r\n`.repeat(50_000)))],
  ])('is left when it answers with %s, and little of it is kept', async (_what, flood) => {
    const one = await connect({ LIST: (peer) => flood(peer) });
    const before = process.memoryUsage.rss();
    // On a slow machine its time may be over before.
    await expect(one.list()).rejects.toMatchObject(without);
    expect(process.memoryUsage.rss() - before).toBeLessThan(250 * MEGABYTE);
  });

  describe('while nothing is asked of it', () => {
    /** The clock stands still: only what the server says can end the wait. */
    const waiting = async () => {
      const one = (connection = await openConnection(await start({}), within(LIMIT_MS, manualClock())));
      await one.open('INBOX');
      const over = new AbortController();
      const ends = one.idle(over.signal);
      await eventually(async () => expect(idling()).toBeDefined(), 10_000, 5);
      return { one, ends, over, say: (lines: string) => idling()?.say(Buffer.from(lines)) };
    };
    const idling = () => peers.find(({ idle }) => idle !== undefined);

    it.each([
      ['with talk', '* OK still here\r\n'.repeat(20_000)],
      ['with one long line', `* VANISHED ${Array.from({ length: 20_000 }, (_, n) => 2 * n + 1).join()}`],
      ['with words in one line', `* FLAGS (${'a '.repeat(90_000)}b)\r\n`],
    ])('is left when it floods who waits for new mail %s', async (_how, flood) => {
      const { ends, say } = await waiting();
      say(flood);
      await expect(ends).rejects.toMatchObject({ ...tooMuch, isOverBound: true });
    });

    it('is left when it floods with changes, and who waits for the first of them hears of it', async () => {
      const { one, ends, over, say } = await waiting();
      say('* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n'.repeat(9_000));
      await expect(ends).resolves.toBe(true);
      await eventually(async () => expect(one.idle(over.signal)).rejects.toMatchObject(tooMuch), 10_000, 5);
    });

    it('is not left when another program marks a thousand messages, nor when there is nothing to tell', async () => {
      const quiet = await waiting();
      quiet.over.abort();
      await expect(quiet.ends).resolves.toBe(false);
      connection?.close();
      await server?.close();
      const { ends, say } = await waiting();
      say('* 1 FETCH (UID 1 FLAGS (\\Seen))\r\n'.repeat(1_000));
      await expect(ends).resolves.toBe(true);
    });
  });

  it('is left when it does not greet, or says goodbye at once', async () => {
    const access = await start({}, null);
    await expect(openConnection(access, within(LIMIT_MS))).rejects.toMatchObject(without);
    await expect(connect({}, '* BYE not today')).rejects.toMatchObject(without);
  });

  it.each(['UID SEARCH', 'UID FETCH'])(
    'is left when it says goodbye at %s, or answers something else for ever',
    async (name) => {
      const work = async (one: ImapConnection) => {
        await one.open('INBOX');
        const uids = await one.uids('1:*');
        for await (const facts of one.facts(uids)) expect(uids).toContain(facts.uid);
      };
      const goodbye = await connect({ [name]: (peer) => peer.say('* BYE enough') });
      await expect(work(goodbye)).rejects.toMatchObject(without);
      goodbye.close();
      await server?.close();
      const strange = await connect({ [name]: (peer) => peer.say('zz9 OK done', 'A1 OK done', '* OK [X', ')(') });
      await expect(work(strange)).rejects.toMatchObject(without);
    },
  );

  it('is asked of these messages alone, and heard of these alone, each once', async () => {
    const one = await opened({
      'UID FETCH': (peer, { text }) => {
        const item = text.includes('RFC822.SIZE') ? 'RFC822.SIZE 10' : 'BODY[]<0> {2}\r\nhi';
        for (const uid of [1, 9, 2, 2, -4, 4_294_967_296, '1e9', 'NIL'])
          peer.say(`* 1 FETCH (UID ${uid} FLAGS () ${item})`);
        peer.say(
          `* -1 FETCH (FLAGS (${'\\Seen '.repeat(5_000).trim()}))`,
          '* 1 FETCH (ENVELOPE (NIL "x" ((NIL',
          '* 2 FETCH NIL',
        );
        return 'OK done';
      },
    });
    const uids: number[] = [];
    for await (const { uid } of one.facts([1, 2, 3])) uids.push(uid);
    for await (const { uid } of one.sources([1, 2, 3], { each: 100, all: 1_000 })) uids.push(uid);
    expect(uids).toEqual([1, 2, 1, 2]);
  });

  it('is left when messages are far larger than it said', async () => {
    const one = await opened({
      'UID FETCH': (peer) => {
        for (const uid of [1, 2, 3])
          peer.say(`* ${uid} FETCH (UID ${uid} BODY[]<0> {${4 * MEGABYTE}}`, Buffer.alloc(4 * MEGABYTE, 'x'), ')');
        return undefined;
      },
    });
    const read = async () => {
      for await (const _message of one.sources([1, 2, 3], { each: 1_000, all: 3_000 }));
    };
    await expect(read()).rejects.toMatchObject(tooMuch);
  });

  it('is not believed about UIDs and counts that cannot be', async () => {
    for (const said of [
      '* OK [UIDNEXT 4294967296] x',
      '* OK [UIDNEXT 0] x',
      '* OK [UIDVALIDITY 0] x',
      '* 99999999 EXISTS',
    ]) {
      const one = await connect({ SELECT: (peer) => (peer.say(...SELECTED, said), 'OK done') });
      await expect(one.open('INBOX')).rejects.toMatchObject({ kind: 'failed' });
      one.close();
      await server?.close();
    }
    const one = await opened({
      SELECT: (peer) => (peer.say('* -5 EXISTS', ...SELECTED), 'OK done'),
      'UID SEARCH': (peer) => (peer.say('* SEARCH 3 -1 0 2.5 1e400 4294967296 x NIL 3 1'), 'OK done'),
    });
    expect(await one.uids('1:*')).toEqual([1, 3]);
  });

  it.each([
    ['01-Jan-2026 00:00:00 +0000', new Date('2026-01-01')],
    ['01-Jan-99999 00:00:00 +0000', null],
    ['01-Jan-1969 00:00:00 +0000', null],
    ['yesterday', null],
  ])('is believed about the date %s only where mail can have it', async (date, expected) => {
    const fetched = `* 1 FETCH (UID 1 FLAGS () RFC822.SIZE 9 INTERNALDATE "${date}")`;
    const one = await opened({ 'UID FETCH': (peer) => (peer.say(fetched), 'OK done') });
    const facts = [];
    for await (const { uid, internalDate } of one.facts([1])) facts.push({ uid, internalDate });
    expect(facts).toEqual([{ uid: 1, internalDate: expected }]);
  });

  it('has not all stored mail counted as gone by one word, nor all others wait for it', async () => {
    const saying = (range: string) => (peer: ImapPeer) => (
      peer.say(...SELECTED, `* VANISHED (EARLIER) ${range}`),
      'OK done'
    );
    const since = { modseq: 5n, uidValidity: 7 };
    const one = await connect({ SELECT: saying('1:20001') });
    expect((await one.open('INBOX', since)).vanished).toBeNull();
    one.close();
    await server?.close();
    const all = await connect({ SELECT: saying('1:4294967295') });
    await expect(all.open('INBOX', since)).rejects.toMatchObject(without);
  });

  it('has the folders whose names can be names, each once, and no more than thousands', async () => {
    const names = ['../../etc', '..', 'a'.repeat(10_000), 'INBOX', 'INBOX', 'x\u0007y', ' ', '<b>', '$where'];
    const say = (peer: ImapPeer, all: string[]) =>
      peer.say(Buffer.from(all.map((name) => `* LIST () "/" "${name}"\r\n`).join('')));
    const one = await connect({
      LIST: (peer) => (say(peer, names), peer.say('* LIST () "/" {6}', 'a\r\nb c'), 'OK done'),
    });
    const listed = await one.list();
    expect(listed.map(({ path }) => path).toSorted()).toEqual(['$where', '..', '../../etc', '<b>', 'INBOX']);
    one.close();
    await server?.close();
    const thousands = Array.from({ length: 5_001 }, (_, n) => `f${n}`);
    // A busy machine reads so many names for longer than an answer may take here.
    const many = await connect({ LIST: (peer) => (say(peer, thousands), 'OK done') }, undefined, 60_000);
    await expect(many.list()).rejects.toMatchObject({ kind: 'failed' });
  });

  describe('where TLS is insisted on', () => {
    const ca = '-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----\n';
    const tried = async (lies: Lies, greeting?: string) => {
      const access = await start(lies, greeting);
      await expect(openConnection({ ...access, ca }, within(LIMIT_MS))).rejects.toMatchObject(without);
      return commands.map((text) => text.split(' ')[0]);
    };
    const offering = `* OK [CAPABILITY IMAP4rev1 STARTTLS AUTH=PLAIN] ready`;

    it('no password is sent to a server that adds words of its own before TLS begins', async () => {
      const injected = (peer: ImapPeer, { tag }: ImapCommand) =>
        peer.say(Buffer.from(`${tag} OK go\r\n* CAPABILITY IMAP4rev1 AUTH=PLAIN\r\n* PREAUTH in\r\n`));
      expect(await tried({ STARTTLS: injected }, offering)).toEqual(['STARTTLS']);
    });

    it.each([
      ['does not offer it', '* OK [CAPABILITY IMAP4rev1 AUTH=PLAIN] ready'],
      ['says that one is logged in already', '* PREAUTH [CAPABILITY IMAP4rev1] welcome'],
    ])('nothing is said to one that %s', async (_what, greeting) => {
      for (const word of await tried({}, greeting)) expect(['CAPABILITY', 'ID', 'LOGOUT']).toContain(word);
    });
  });
});

function honest(peer: ImapPeer, { text }: ImapCommand): string {
  const name = /^(UID \w+|\w+)/.exec(text)?.[1]?.toUpperCase() ?? '';
  if (name === 'CAPABILITY') peer.say(`* CAPABILITY ${CAPABILITIES}`);
  if (name === 'NAMESPACE') peer.say('* NAMESPACE (("" "/")) NIL NIL');
  if (name === 'ENABLE') peer.say('* ENABLED CONDSTORE QRESYNC');
  if (name === 'LIST') peer.say('* LIST () "/" INBOX');
  if (name === 'STATUS') peer.say('* STATUS INBOX (MESSAGES 3 UIDNEXT 4 UIDVALIDITY 7)');
  if (name === 'SELECT') peer.say(...SELECTED);
  if (name === 'UID SEARCH') peer.say('* SEARCH 1 2 3');
  if (name === 'UID FETCH')
    for (const uid of [1, 2, 3]) peer.say(`* ${uid} FETCH (UID ${uid} FLAGS () RFC822.SIZE 10)`);
  return name === 'SELECT' ? 'OK [READ-WRITE] done' : 'OK done';
}
