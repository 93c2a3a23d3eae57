import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { ATTEMPT_LEASE_MS } from '@postroom/mail-store/attempts-store';
import { manualClock } from '@postroom/runtime/clock';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';
import { type AtCall, dying } from '../support/interleavings.ts';
import { mailProcess } from './mail-process.ts';
import { type MailboxWorld, openMailboxWorld, toMessage } from './mailbox-world.ts';

const DEATHS = 5;
const clock = manualClock();
const CAUSE = `the process ended in each of ${DEATHS} attempts`;
let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const messages = (uids: readonly number[]) =>
  uids.map((uid) =>
    toMessage({ uid, messageId: `<${uid}@sender.example>`, subject: uid === 3 ? 'poison' : `good ${uid}` }),
  );
const alive: AtCall = (_, call) => call();

it('a message that ends its process at any call of its attempt is quarantined after five counted deaths', async () => {
  const calls: string[] = [];
  const counting = await world.mailbox();
  const counted: AtCall = (name, call) => (calls.push(name), call());
  await mailProcess(world.collections, counted).ingest(counting.mailbox, messages([3]), true);
  const begun = calls.indexOf('begin');
  expect(begun).toBeGreaterThan(-1);
  for (let deadly = begun + 2; deadly < calls.length; deadly += 1) {
    const { mailbox, emails } = await world.mailbox();
    const life = async (at: AtCall) => {
      await clock.advance(ATTEMPT_LEASE_MS);
      return mailProcess(world.collections, at, readMail, clock).ingest(mailbox, messages([3]), true);
    };
    let deaths = 0;
    let outcome: string | undefined;
    for (; outcome === undefined && deaths <= DEATHS + 1; deaths += 1) {
      // The kill comes at the same call of the attempt; a suspect makes two more calls before.
      const suspect = deaths >= 2 ? 2 : 0;
      const isGivenUp = deaths === DEATHS;
      const at = isGivenUp ? alive : dying(deadly + suspect, 'before').at;
      outcome = (await life(at).catch(() => undefined))?.[0]?.outcome;
    }
    // A message that was stored before the death is known, and ends nothing any more.
    const expected = (await emails()).length === 1 ? 'known' : 'quarantined';
    expect([calls[deadly - 1], outcome]).toEqual([calls[deadly - 1], expected]);
  }
});

it('the messages beside one that ends its process are stored', async () => {
  const { mailbox, emails } = await world.mailbox();
  let deaths = 0;
  let outcomes: { outcome: string; cause?: string | undefined }[] | undefined;
  for (; !outcomes && deaths < 20; deaths += 1) {
    let isDead = false;
    const at: AtCall = async (_name, call) => {
      if (isDead) throw new Error('killed');
      return call();
    };
    const read: typeof readMail = (raw, limits) => {
      const mail = readMail(raw, limits);
      isDead ||= mail.subject === 'poison';
      if (isDead) throw new Error('killed');
      return mail;
    };
    await clock.advance(ATTEMPT_LEASE_MS);
    outcomes = await mailProcess(world.collections, at, read, clock)
      .ingest(mailbox, messages([1, 2, 3, 4, 5]), deaths > 0)
      .catch(() => undefined);
  }
  expect(outcomes?.map(({ outcome }) => outcome)).toEqual(['known', 'known', 'quarantined', 'stored', 'stored']);
  expect(outcomes?.[2]?.cause).toBe(CAUSE);
  expect(await emails()).toHaveLength(4);
  // The first call counts nothing.
  expect(deaths).toBe(1 + DEATHS + 1);
});

it('an ordinary call counts no attempt', async () => {
  const { mailbox } = await world.mailbox();
  const calls: string[] = [];
  await mailProcess(world.collections, (name, call) => (calls.push(name), call())).ingest(mailbox, messages([1, 2]));
  expect(calls).not.toContain('begin');
});
