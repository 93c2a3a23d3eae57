import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { systemClock } from '@postroom/runtime/clock';
import { deliver } from './deliver.ts';
import type { DeliverySteps, OutgoingMessage, SmtpServer } from './delivery.ts';
import { openFaultyServer, type Fault, type FaultyServer, type Stage } from './faulty-server.test-support.ts';

let server: FaultyServer;
let steps: string[];
const noting: DeliverySteps = {
  dataStarted: async (refused) => void steps.push('started', ...refused.map(({ address }) => `not ${address}`)),
  dataEnding: async () => void steps.push('ending'),
};
const message: OutgoingMessage = {
  operation: 'snd_1',
  from: 'ann@acme.example',
  to: ['bob@other.example'],
  bytes: Buffer.from(`Subject: hello\r\n\r\n.dots\r\n${'x'.repeat(200_000)}\r\n`),
};
const limits = { connectMs: 2_000, silenceMs: 300, loginMs: 600, messageMs: 600 };
const target = (): SmtpServer => ({ host: '127.0.0.1', port: server.port, isSecure: false, isPlain: true });

beforeEach(async () => {
  steps = [];
  server = await openFaultyServer();
});
afterEach(() => server.close());

describe('deliver', () => {
  it('is accepted once, with its dots stuffed and both steps written down', async () => {
    const delivery = await deliver(target(), message, noting, limits);
    expect(delivery).toMatchObject({ outcome: 'accepted', response: '250 queued', refused: [] });
    expect(server.accepted).toHaveLength(1);
    expect(server.accepted[0]).toContain('\r\n..dots\r\n');
    expect(steps).toEqual(['started', 'ending']);
  });

  it('leaves no connection behind at a server that never ends its goodbye', async () => {
    server.faults.quit = 'drip';
    expect(await deliver(target(), message, noting, limits)).toMatchObject({ outcome: 'accepted' });
    await systemClock.sleep(2 * limits.silenceMs);
    expect(server.connections()).toBe(0);
  });

  const before: [Stage, Fault, boolean, boolean][] = [
    ['connect', 'cut', false, false],
    ['connect', '554 go away', true, false],
    ['connect', '421 too busy', false, false],
    ['connect', 'silence', false, false],
    ['ehlo', 'cut', false, false],
    ['mail', '550 not from you', true, true],
    ['mail', '451 later', false, false],
    ['rcpt', 'cut', false, false],
    ['rcpt', '550 no such user', true, true],
    ['rcpt', '450 greylisted', false, true],
    ['rcpt', '421 too many', false, false],
    ['ehlo', 'drip', false, false],
    ['rcpt', 'drip', false, false],
    ['data', 'cut', false, false],
    ['data', '554 no', true, true],
    ['dot', '552 too big', true, true],
    ['dot', '451 try later', false, true],
  ];
  it.each(before)('is surely not sent when %s meets "%s" (final: %s, served: %s)', async (...row) => {
    const [stage, fault, isFinal, isServed] = row;
    server.faults[stage] = fault;
    const delivery = await deliver(target(), message, noting, limits);
    expect(delivery).toMatchObject({ outcome: 'refused', isFinal, isServed });
    expect(server.accepted).toEqual([]);
  });

  it.each<[Fault, number]>([
    ['cut', 1],
    ['silence', 1],
    ['drip', 1],
    ['lose', 0],
  ])('is unknown when the answer to the whole message is %s', async (fault, accepted) => {
    server.faults.dot = fault;
    expect(await deliver(target(), message, noting, limits)).toMatchObject({ outcome: 'unknown' });
    expect(server.accepted).toHaveLength(accepted);
  });

  it.each(['354 go on', '399 perhaps', '199 wait', '699 what'])(
    'is unknown, and not to be sent again, when the answer to the whole message is "%s"',
    async (answer) => {
      server.faults.dot = answer;
      expect(await deliver(target(), message, noting, limits)).toMatchObject({ outcome: 'unknown' });
    },
  );

  it('says in a sentence for people that the server cannot be reached, and keeps the cause for the log', async () => {
    await server.close();
    const delivery = await deliver(target(), message, noting, limits);
    expect(delivery).toMatchObject({
      outcome: 'refused',
      reason: 'the mail server of the mailbox could not be reached; try again later',
      cause: { message: expect.stringContaining('ECONNREFUSED') },
    });
  });

  it('is accepted when only the goodbye is lost', async () => {
    server.faults.quit = 'cut';
    expect(await deliver(target(), message, noting, limits)).toMatchObject({ outcome: 'accepted' });
  });

  it.each(['dataStarted', 'dataEnding'] as const)('is surely not sent when %s cannot be written down', async (step) => {
    const failing = { ...noting, [step]: () => Promise.reject(new Error('database away')) };
    expect(await deliver(target(), message, failing, limits)).toMatchObject({ outcome: 'refused', isFinal: false });
    expect(server.accepted).toEqual([]);
  });

  it('reaches the others when one recipient of two is refused, and says which and why', async () => {
    server.refusedRecipients['gone@other.example'] = '550 5.1.1 gone';
    const both = { ...message, to: ['gone@other.example', 'bob@other.example'] };
    const delivery = await deliver(target(), both, noting, limits);
    expect(delivery).toMatchObject({
      outcome: 'accepted',
      refused: [{ address: 'gone@other.example', isFinal: true }],
    });
    expect(server.accepted).toHaveLength(1);
    expect(steps).toEqual(['started', 'not gone@other.example', 'ending']);
  });

  it('names a refused recipient as it was asked for, whatever the form of its domain on the wire', async () => {
    server.refusedRecipients['gone@xn--bcher-kva.example'] = '450 4.2.1 later';
    const both = { ...message, to: ['gone@b\u00fccher.example', 'bob@other.example'] };
    expect(await deliver(target(), both, noting, limits)).toMatchObject({
      outcome: 'accepted',
      refused: [{ address: 'gone@b\u00fccher.example', isFinal: false }],
    });
  });

  it('may go better later while one of those whom the server refused was only put off', async () => {
    server.refusedRecipients['gone@other.example'] = '550 5.1.1 gone';
    server.refusedRecipients['bob@other.example'] = '450 4.2.1 later';
    const both = { ...message, to: ['bob@other.example', 'gone@other.example'] };
    expect(await deliver(target(), both, noting, limits)).toMatchObject({ outcome: 'refused', isFinal: false });
  });

  it('is not tried again where it is larger than the server takes', async () => {
    const large = { ...message, bytes: Buffer.alloc(2_000_000, 'x') };
    expect(await deliver(target(), large, noting, limits)).toMatchObject({ outcome: 'refused', isFinal: true });
  });

  it('is never sent to a server that wants TLS and has none, or that offers no login', async () => {
    const secure = await deliver({ ...target(), isPlain: false }, message, noting, limits);
    expect(secure).toMatchObject({ outcome: 'refused' });
    const login = { user: 'ann', password: 'secret' };
    expect(await deliver({ ...target(), login }, message, noting, limits)).toMatchObject({
      outcome: 'refused',
      isFinal: true,
    });
    expect(server.accepted).toEqual([]);
  });

  it('refuses a recipient beyond ASCII where the server has no SMTPUTF8, and writes a domain in its ASCII form', async () => {
    const refused = await deliver(target(), { ...message, to: ['jürgen@other.example'] }, noting, limits);
    expect(refused).toMatchObject({ outcome: 'refused', isFinal: true });
    const taken = await deliver(target(), { ...message, to: ['bob@bücher.example'] }, noting, limits);
    expect(taken.outcome).toBe('accepted');
  });
});
