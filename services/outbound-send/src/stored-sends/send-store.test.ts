import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createSendStore } from './send-store.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';

// Ahead of the database's clock, which deletes what has expired.
const now = new Date('2126-03-01T12:00:00Z');
const minutes = (count: number) => new Date(now.getTime() + count * 60_000);
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('late is what should have left by now: of every workspace, since the oldest of a kind, and nothing that is over', async () => {
  const put = (_id: string, kind: SendDocument['kind'], parts: Partial<SendDocument>) =>
    database.collections.sends.collection.insertOne({
      ...memorySends().make(kind, minutes(1), minutes(-1)),
      _id,
      ...parts,
    } as never);
  await put('young', 'forward', { createdAt: minutes(-2), scheduledSendAt: minutes(-2) });
  await put('old', 'forward', { createdAt: minutes(-9), scheduledSendAt: minutes(-9), workspaceId: 'another' });
  await put('over', 'forward', { createdAt: minutes(-99), state: 'recorded', nextAt: null });
  await put('looked for', 'forward', { createdAt: minutes(-99), state: 'unknown' });
  await put('waits for its hour', 'forward', { createdAt: minutes(-99), scheduledSendAt: minutes(5) });
  await put('early', 'reply', { createdAt: minutes(-99), scheduledSendAt: minutes(5) });
  await put('due', 'reply', { createdAt: minutes(-99), scheduledSendAt: minutes(-3) });
  const { everyWorkspacesLate } = createSendStore(database.collections);
  expect(await everyWorkspacesLate('forward', now, 10)).toEqual({ count: 2, since: minutes(-9) });
  expect(await everyWorkspacesLate('reply', now, 10)).toEqual({ count: 1, since: minutes(-3) });
  expect(await everyWorkspacesLate('send', now, 10)).toEqual({ count: 0, since: undefined });
});

it('an email came back where a rule of its workspace forwarded it, and not where a person sent it or another workspace did', async () => {
  const sent = (kind: SendDocument['kind'], messageId: string, workspaceId = 'wsp_1') => {
    const send = { ...memorySends().make(kind, minutes(1), now), _id: messageId, messageId, workspaceId };
    return database.collections.sends.collection.insertOne(send as never);
  };
  await sent('forward', '<forwarded@x>');
  await sent('send', '<sent@x>');
  await sent('reply', '<answered@x>');
  await sent('forward', '<theirs@x>', 'wsp_2');
  const { knownOrForwarded } = createSendStore(database.collections);
  const asked = ['<forwarded@x>', '<sent@x>', '<answered@x>', '<theirs@x>', '<unknown@x>'];
  const found = await Promise.all(asked.map((messageId) => knownOrForwarded('wsp_1', '<sent@x>', messageId)));
  expect(found.map(({ wasForwarded }) => wasForwarded)).toEqual([true, false, false, false, false]);
  expect(found.map(({ isKnown }) => isKnown)).toEqual([true, true, true, true, true]);
  // The send of another workspace, and one that is not there, are unknown.
  const others = ['<theirs@x>', '<unknown@x>'].map((id) => knownOrForwarded('wsp_1', id, '<sent@x>'));
  expect((await Promise.all(others)).map(({ isKnown }) => isKnown)).toEqual([false, false]);
});

it('a report is about a send of the mailbox that received it, and about none of another mailbox', async () => {
  const sent = { ...memorySends().make('send', minutes(1), now), _id: 'snd_reported', messageId: '<reported@x>' };
  await database.collections.sends.collection.insertOne({ ...sent, mailboxId: 'mbx_sender' } as never);
  const { findReported } = createSendStore(database.collections);
  const found = async (mailboxId: string, operation?: string) =>
    (await findReported(sent.workspaceId, mailboxId, { operation, messageIds: ['<reported@x>'] })).map(
      ({ _id }) => _id,
    );
  expect(await found('mbx_sender')).toEqual(['snd_reported']);
  expect(await found('mbx_sender', 'snd_reported')).toEqual(['snd_reported']);
  expect([await found('mbx_other'), await found('mbx_other', 'snd_reported')]).toEqual([[], []]);
});

it('a recipient that came back is noted by one change, so that a kill between two loses no recipient', async () => {
  const refused = [
    { address: 'a@far.example', reason: 'later', isFinal: false },
    { address: 'b@far.example', reason: 'no', isFinal: true },
  ];
  const { _id, workspaceId } = { _id: 'snd_back', workspaceId: 'wsp_1' };
  const sent = { ...memorySends().make('send', minutes(1), now), _id, workspaceId, refused };
  await database.collections.sends.collection.insertOne(sent as never);
  const changes: unknown[] = [];
  const sends = new Proxy(database.collections.sends, {
    get: (model, name) =>
      name === 'updateOne'
        ? async (...call: Parameters<typeof model.updateOne>) => {
            const done = await model.updateOne(...call);
            if (done.modifiedCount > 0) changes.push(call[1]);
            return done;
          }
        : Reflect.get(model, name),
  });
  const { noteCameBack } = createSendStore({ ...database.collections, sends });
  const back = { address: 'a@far.example', reason: 'came back: 550', isFinal: true };
  await noteCameBack(workspaceId, _id, back);
  const other = { address: 'c@far.example', reason: 'came back: 551', isFinal: true };
  await noteCameBack(workspaceId, _id, other);
  expect(changes).toHaveLength(2);
  const stored = await database.collections.sends.findById(_id).lean();
  expect(stored?.refused).toEqual([back, refused[1], other]);
});

it('sends that are stored, searched for or ended are claimed whatever their mailbox has to wait for, and no others', async () => {
  const put = (kind: SendDocument['kind'], state: SendDocument['state'], due = minutes(-5)) =>
    database.collections.sends.collection.insertOne({
      ...memorySends().make(kind, due, now),
      _id: `due ${kind} ${state}`,
      state,
    } as never);
  for (const state of ['scheduled', 'connecting', 'data_started', 'data_ending', 'unknown'] as const)
    await put('forward', state);
  await put('send', 'connecting');
  await put('approved', 'awaiting_approval');
  await put('remainder', 'accepted');
  await put('reply', 'accepted', minutes(5));
  const { claimWithoutServer } = createSendStore(database.collections);
  const claimed: string[] = [];
  for (let send = await claimWithoutServer(now, minutes(1)); send; send = await claimWithoutServer(now, minutes(1)))
    claimed.push(send._id);
  expect(claimed.toSorted()).toEqual([
    'due approved awaiting_approval',
    'due forward data_ending',
    'due forward unknown',
    'due remainder accepted',
    'due send connecting',
  ]);
});
