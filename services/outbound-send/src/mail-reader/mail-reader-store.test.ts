import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createMailReaderStore } from './mail-reader-store.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

const budget = { remainingMs: () => 10_000 };
const mailbox = (_id: string, workspaceId: string, keys?: string[]) => ({
  _id,
  workspaceId,
  email: `${_id}@acme.example`,
  emailKey: `${_id}@acme.example`,
  status: 'active',
  ...(keys && { recipientKeys: keys }),
});

it('finds a mailbox, and whether an address reaches it or another one of its workspace', async () => {
  await database.collections.mailboxes.collection.insertMany([
    mailbox('ann', 'w', ['ann@acme.example']),
    mailbox('bob', 'w', ['bob@acme.example', 'sales@acme.example']),
    // A mailbox of an earlier version has no keys.
    mailbox('old', 'w'),
    mailbox('zoe', 'other', ['zoe@far.example']),
  ] as never[]);
  const { mailboxAndReach } = createMailReaderStore(database.collections);
  const found = async (mailboxId: string, address: string) => {
    const { mailbox: one, isOwn } = await mailboxAndReach('w', mailboxId, address, budget);
    return [one?._id ?? null, isOwn];
  };
  expect(await found('ann', 'far@away.example')).toEqual(['ann', false]);
  expect(await found('ann', 'Ann@acme.example')).toEqual(['ann', true]);
  expect(await found('ann', 'sales+list@acme.example')).toEqual(['ann', true]);
  expect(await found('old', 'far@away.example')).toEqual(['old', false]);
  // Neither finds a mailbox of another workspace.
  expect(await found('zoe', 'zoe@far.example')).toEqual([null, false]);
});
