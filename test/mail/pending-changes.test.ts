import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createPendingChangeStore } from '../../services/mailbox-sync/src/pending/pending-change-store.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

it('mailboxes with pending changes are found oldest first, however many changes the first of them has', async () => {
  const since = new Date('2026-01-01T00:00:00Z');
  const after = (ms: number) => new Date(since.getTime() + ms);
  const pending = (mailboxId: string, ms: number) =>
    emailDocument({ workspaceId: `wsp_${mailboxId}`, mailboxId, providerChangesSince: after(ms) });
  const many = Array.from({ length: 25 }, (_, n) => pending('mbx_many', n + 2));
  const others = [pending('mbx_last', 100), pending('mbx_first', 1), pending('mbx_before', -1)];
  await database.collections.emails.insertMany([...many, ...others]);
  const { everyPendingSince } = createPendingChangeStore(database.collections);
  expect(await everyPendingSince(since, 10)).toEqual(['mbx_first', 'mbx_many', 'mbx_last']);
});
