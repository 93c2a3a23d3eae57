import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { SendDocument } from '@postroom/mail-store/documents/send';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createSendStore } from './send-store.ts';
import { memorySends } from '../sending/memory-sends.test-support.ts';

const now = new Date('2026-03-01T12:00:00Z');
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
  const { wasForwarded } = createSendStore(database.collections);
  const asked = ['<forwarded@x>', '<sent@x>', '<answered@x>', '<theirs@x>', '<unknown@x>'];
  const came = await Promise.all(asked.map((messageId) => wasForwarded('wsp_1', messageId)));
  expect(came).toEqual([true, false, false, false, false]);
});
