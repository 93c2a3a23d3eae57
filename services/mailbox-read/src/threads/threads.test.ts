import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { ThreadJson } from '@postroom/contract/thread';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { whenDatabaseHas } from '../../../../test/engines/support/mongo.ts';
import { emailDocument, type EmailParts } from '../../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createCursors } from '../cursors/cursors.ts';
import { createSettingsStore } from '../workspace-settings/settings-store.ts';
import { listingHandlers } from '../listing/listing.ts';
import { createPageStore } from '../pages/page-store.ts';
import { createThreadListStore, threadsQuery } from './thread-list-store.ts';
import { getThread } from './threads.ts';

interface Explained {
  queryPlanner: { winningPlan: unknown };
  executionStats: { totalDocsExamined: number };
}

const clock = manualClock();
const mailboxId = 'mbx_test';
const call = { workspaceId: 'wsp_test', signal: new AbortController().signal, remainingMs: () => 10_000 } as Call;
const START = Date.parse('2026-03-01T00:00:00Z');
let database: TestDatabase;
let list: (asked: Record<string, unknown>) => Promise<{ items: ThreadJson[]; nextCursor: string | null }>;
let get: (threadId: string) => Promise<{ thread: ThreadJson; emails: { id: string }[] }>;

beforeAll(async () => {
  database = await openTestDatabase();
  const { collections } = database;
  const settings = createSettingsStore(collections);
  const deps = {
    context: { clock },
    cursors: createCursors('secret'),
    settings: {
      ...settings,
      mailboxes: (() => Promise.resolve([{ _id: 'mbx_other' }, { _id: mailboxId }])) as never,
    },
    pages: createPageStore(collections),
    threads: createThreadListStore(collections),
  };
  const json = async (page: Promise<{ json: Uint8Array }>) => JSON.parse(Buffer.from((await page).json).toString());
  list = async (asked) => json(listingHandlers(deps).listThreads({ limit: 50, ...asked }, call));
  get = async (threadId) => json(getThread(threadId, call, deps));
}, 60_000);
beforeEach(async () => void (await database.collections.emails.deleteMany({})));
afterAll(() => database.close());

/** An email of a thread so many minutes after the start. */
const email = (threadId: string, minute: number, parts: EmailParts = {}) =>
  emailDocument({ threadId, date: new Date(START + minute * 60_000), mailboxId, ...parts });
const store = (emails: unknown[]) => database.collections.emails.collection.insertMany(emails as never[]);
const ids = (items: ThreadJson[]) => items.map(({ id }) => id);

async function pages(asked: Record<string, unknown>) {
  const found: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { items, nextCursor } = await list({ ...asked, ...(cursor !== undefined && { cursor }) });
    found.push(...ids(items));
    cursor = nextCursor;
  }
  return found;
}

describe('a thread', () => {
  it('counts the emails of all folders and tells of its newest one', async () => {
    const ann = { email: 'Ann@sender.example', name: null };
    const bob = { email: 'bob@example.com', name: 'Bob' };
    await store([
      email('thr_1', 1, { subject: 'Lunch', from: ann, to: [bob], hasAttachments: true, text: 'first' }),
      email('thr_1', 3, { subject: 'Re: Lunch', from: bob, to: [{ email: 'ann@sender.example', name: 'Ann Ä' }] }),
      email('thr_1', 5, {
        folderType: 'SENT',
        from: bob,
        to: [],
        subject: 'Re: Lunch',
        isRead: true,
        text: 'last',
        isStarred: true,
      }),
      email('thr_2', 4, { subject: 'Other' }),
    ]);
    const { items } = await list({ folderType: 'INBOX' });
    expect(ids(items)).toEqual(['thr_1', 'thr_2']);
    expect(items[0]).toEqual({
      id: 'thr_1',
      mailboxId,
      subject: 'Lunch',
      participants: [{ email: 'Ann@sender.example', name: 'Ann Ä' }, bob],
      emailCount: 3,
      unreadCount: 2,
      hasAttachments: true,
      isStarred: true,
      tags: [],
      snippet: 'last',
      date: new Date(START + 5 * 60_000).toISOString(),
    });
    expect(ids((await list({ folderType: 'SENT' })).items)).toEqual(['thr_1']);
    expect((await list({ mailboxId: 'mbx_unknown' })).items).toEqual([]);
  });

  it('is got with its newest 200 emails, the oldest first', async () => {
    await store(Array.from({ length: 230 }, (_, n) => email('thr_1', n, { _id: `eml_${String(n).padStart(3, '0')}` })));
    const { thread, emails } = await get('thr_1');
    expect(thread.emailCount).toBe(230);
    expect([emails.length, emails[0]?.id, emails.at(-1)?.id]).toEqual([200, 'eml_030', 'eml_229']);
    await expect(get('thr_2')).rejects.toMatchObject({ code: 'THREAD_NOT_FOUND' });
  });
});

describe('pages of threads', () => {
  it('come by the newest email of a thread, also from the few emails of a folder', async () => {
    const threads = Array.from({ length: 9 }, (_, n) => `thr_${n}`);
    await store(
      threads.flatMap((id, n) => [
        email(id, n, { folderType: n % 3 === 0 ? 'SPAM' : 'INBOX' }),
        email(id, 100 + n, { receivedAt: new Date(clock.now()), folderType: 'SENT' }),
      ]),
    );
    expect(await pages({ limit: 2 })).toEqual(threads.toReversed());
    expect(await pages({ limit: 2, mailboxId, folderType: 'SPAM' })).toEqual(['thr_6', 'thr_3', 'thr_0']);
  });

  whenDatabaseHas('explain')('examine the emails of the threads alone, by their index', async () => {
    const mails = Array.from({ length: 40 }, (_, n) => email(`thr_${n}`, n, { mailboxId: `mbx_${n % 2}` }));
    await store(mails);
    const keys = [0, 1, 2, 3].map((n) => ({ mailboxId: `mbx_${n % 2}`, threadId: `thr_${n}` }));
    const { executionStats, queryPlanner } = (await database.collections.emails.collection
      .find(threadsQuery('wsp_test', keys))
      .explain('executionStats')) as unknown as Explained;
    expect(executionStats.totalDocsExamined).toBe(4);
    expect(JSON.stringify(queryPlanner.winningPlan)).not.toContain('COLLSCAN');
  });

  it('400 VALIDATION_FAILED for a cursor of another listing', async () => {
    await store([email('thr_1', 1), email('thr_2', 2)]);
    const { nextCursor: cursor } = await list({ limit: 1 });
    await expect(list({ cursor, mailboxId })).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
  });
});
