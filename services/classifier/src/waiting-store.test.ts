import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { emailDocument } from '../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../test/support/mail-database.ts';
import { waitingEmails, type WaitingEmail } from './waiting-store.ts';

const second = (count: number) => new Date(count * 1_000);
let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
}, 60_000);
afterAll(() => database.close());

it('the sweep is given page after page of what has waited, each email once, the longest first, and nothing that just came', async () => {
  const waits = (_id: string, since: Date, workspaceId = 'wsp_1') =>
    emailDocument({ _id, workspaceId, awaitsClassificationSince: since });
  const stored = [
    ...['e', 'd', 'c', 'b'].map((_id) => waits(_id, second(5))),
    waits('first', second(1), 'wsp_2'),
    waits('last', second(9)),
    waits('young', second(10)),
    emailDocument({ _id: 'classified' }),
  ];
  await database.collections.emails.collection.insertMany(stored as never[]);
  const store = waitingEmails(database.collections.emails);
  const seen: string[] = [];
  let after: WaitingEmail | undefined;
  for (let pages = 0; pages < 9; pages += 1) {
    const found = await store.everyWorkspaces(second(10), after, 2);
    seen.push(...found.map(({ _id }) => _id));
    after = found.at(-1);
    if (!after) break;
  }
  expect(seen).toEqual(['first', 'b', 'c', 'd', 'e', 'last']);
  expect(await store.everyWorkspacesWaiting(3)).toEqual({ count: 3, since: second(1) });
});
