import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { readMail } from '../../services/mailbox-write/src/parse/parsed-mail.ts';
import type { AtCall } from '../support/interleavings.ts';
import { mailProcess } from './mail-process.ts';
import { type MailboxWorld, openMailboxWorld, toMessage } from './mailbox-world.ts';

let world: MailboxWorld;
beforeAll(async () => {
  world = await openMailboxWorld();
});
afterAll(() => world.close());

const BATCH = [1, 2, 3, 4, 5].map((uid) =>
  toMessage({ uid, messageId: `<${uid}@sender.example>`, subject: uid === 3 ? 'poison' : 'good' }),
);
const atOnce: AtCall = (_, call) => call();
/** Something that nobody has thought of makes storing one message go wrong. */
const readBadly: typeof readMail = (raw, limits) => {
  const mail = readMail(raw, limits);
  return mail.subject === 'poison' ? { ...mail, to: undefined as never } : mail;
};

it('a message over which storing goes wrong is quarantined, and the others of its batch are stored', async () => {
  const { mailbox, emails } = await world.mailbox();
  const outcomes = await mailProcess(world.collections, atOnce, readBadly).ingest(mailbox, BATCH);
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'quarantined', 'stored', 'stored']);
  expect(outcomes[2]?.cause).toBe('storing it goes wrong (TypeError)');
  expect(await emails()).toHaveLength(4);
});

it('an unavailable database quarantines nothing: the batch is ingested once it is back', async () => {
  const { mailbox, emails } = await world.mailbox();
  const unavailable: AtCall = (name, call) => {
    if (name !== 'insertEmails') return call();
    throw Object.assign(new Error('connection closed'), { name: 'MongoNetworkError' });
  };
  await expect(mailProcess(world.collections, unavailable).ingest(mailbox, BATCH)).rejects.toThrow('connection closed');
  expect(await world.collections.quarantinedMessages.countDocuments({ mailboxId: mailbox._id })).toBe(0);
  await mailProcess(world.collections, atOnce).ingest(mailbox, BATCH);
  expect(await emails()).toHaveLength(5);
});

it.each([1, 2])(
  'a message over which storing goes wrong in passing is stored when it is tried again (%s times)',
  async (times) => {
    const { mailbox, emails } = await world.mailbox();
    let failures = 0;
    const racing: AtCall = async (name, call) => {
      if (name !== 'insertEmails' || failures >= times) return call();
      failures += 1;
      throw new Error('an email was refused as a duplicate of one that is not there');
    };
    const outcomes = await mailProcess(world.collections, racing).ingest(mailbox, BATCH.slice(0, 1));
    expect([failures, outcomes.map(({ outcome }) => outcome)]).toEqual([times, ['stored']]);
    expect(await emails()).toHaveLength(1);
    expect(await world.collections.quarantinedMessages.countDocuments({ mailboxId: mailbox._id })).toBe(0);
  },
);

it('an email over which a change of its provider goes wrong is passed over, and the others are changed', async () => {
  const mailbox = await world.mailbox();
  await mailProcess(world.collections, atOnce).ingest(mailbox.mailbox, BATCH);
  const third = { mailboxId: mailbox.mailbox._id, 'place.uid': 3 };
  // As nothing of ours writes it.
  await world.collections.emails.collection.updateOne(third, { $set: { providerChanges: null } });
  const { changed } = await mailbox.read('inbox', [1, 2, 3, 4, 5]);
  expect(changed).toBe(4);
  const all = await mailbox.emails();
  expect(all.map(({ place: location, isRead }) => [location?.uid, isRead])).toEqual(
    expect.arrayContaining([1, 2, 4, 5].map((uid) => [uid, true])),
  );
});
