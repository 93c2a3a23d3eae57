import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import { createUnclassifiedStore as createReader } from '../../services/classifier/src/pending/pending-store.ts';
import { createWaitingWorkStore } from '../../services/mailbox-read/src/waiting-work/waiting-work-store.ts';
import { createPendingStore } from '../../services/mailbox-write/src/changes/pending-store.ts';
import { whenDatabaseHas } from '../engines/support/mongo.ts';
import { emailDocument } from '../support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../support/mail-database.ts';

const whenExplained = whenDatabaseHas('explain');
const [CLASSIFIED, WAITING] = [1_000, 500];
const OF_THREAD = { workspaceId: 'wsp_1', mailboxId: 'mbx_1', threadId: 'thr_1' };
const budget = { remainingMs: () => 10_000 };
const second = (count: number) => new Date(count * 1_000);
const by = { now: second(9_000), cameBefore: second(9_000) };

interface Options {
  sort?: object;
  limit?: number;
}
interface Plan {
  executionStats: { totalDocsExamined: number };
  queryPlanner: { winningPlan: object };
}

describe(`the queries that recur, beside ${CLASSIFIED} classified emails and ${WAITING} that wait`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await openTestDatabase();
    const waiting = (n: number) => ({ awaitsClassificationSince: second(n + 1), classification: { order: n } });
    const emails = Array.from({ length: CLASSIFIED + WAITING }, (_, n) =>
      emailDocument({ ...OF_THREAD, _id: `eml_${n}`, ...(n < WAITING && waiting(n)) }),
    );
    emails.push(emailDocument({ _id: 'given up', workspaceId: 'wsp_1', classification: { quarantinedAt: second(1) } }));
    await database.collections.emails.collection.insertMany(emails as never[]);
  }, 60_000);
  afterAll(() => database.close());

  /** Number of emails that the only query of a call examines. */
  const examined = async (call: () => Promise<unknown>): Promise<number> => {
    const asked: [object, Options | null, Options | undefined][] = [];
    database.connection.set('debug', (_name: string, _method: string, ...query: (typeof asked)[number]) => {
      asked.push(query);
    });
    await call();
    database.connection.set('debug', false);
    const [[filter, ...options] = [{}, {}, {}], ...more] = asked;
    expect(more).toEqual([]);
    const { sort = {}, limit = 0 } = options.find((one) => one?.sort ?? one?.limit) ?? {};
    const found = database.collections.emails.collection.find(filter).sort(sort as never);
    const plan = (await found.limit(limit).explain('executionStats')) as unknown as Plan;
    expect(JSON.stringify(plan.queryPlanner.winningPlan)).not.toMatch(/COLLSCAN|"SORT"/);
    return plan.executionStats.totalDocsExamined;
  };

  whenExplained('look at what is due, first in its thread or quarantined, and at no other email', async () => {
    const pending = createReader(database.collections);
    const write = createPendingStore(database.collections);
    expect(await examined(() => pending.due('wsp_1', by, 20))).toBe(20);
    expect(await examined(() => pending.inThread('wsp_1', { ...OF_THREAD, emailId: 'eml_499' }))).toBe(50);
    expect(await examined(() => write.everyQuarantined(10_000))).toBe(1);
    const counts = createWaitingWorkStore(database.collections);
    expect(await examined(() => counts.quarantinedEmails('wsp_1', budget))).toBe(1);
    expect(await examined(() => counts.waitingReplies('wsp_1', budget))).toBe(0);
    expect(await examined(() => counts.ruleDrafts('wsp_1', budget))).toBe(0);
  });
});
