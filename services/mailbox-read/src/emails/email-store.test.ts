import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { emailDocument } from '../../../../test/support/email-document.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { createSingleEmailStore, type SingleEmailStore } from './email-store.ts';

const [mine, theirs] = ['wsp_mine', 'wsp_theirs'];
const budget = { remainingMs: () => 10_000 };

/** The callers of these queries find no foreign email either, but each query must check the workspace on its own. */
describe('the email store, asked for what another workspace has', () => {
  let database: TestDatabase;
  let store: SingleEmailStore;
  let ids: { emailId: string; mailboxId: string; threadId: string };

  beforeAll(async () => {
    database = await openTestDatabase();
    const { emails, bodies } = database.collections;
    store = createSingleEmailStore(database.collections);
    const made = {
      source: 'auto_draft',
      ruleId: 'air_1',
      signature: null,
      createdAt: new Date(),
      updatedAt: new Date(),
    };
    const reply = { draft: made, scheduledStatus: 'pending', scheduledSendAt: new Date() } as const;
    const draft = {
      workspaceId: theirs,
      threadId: 'thr_theirs',
      isDraft: true,
      folderType: 'DRAFTS',
      ...reply,
    } as const;
    const email = { ...emailDocument({ text: 'secret' }), ...draft };
    const { _id, mailboxId } = email;
    await emails.collection.insertOne(email as never);
    const body = { _id, workspaceId: theirs, mailboxId, html: null, text: 'secret', createdAt: new Date() };
    await bodies.collection.insertOne(body as never);
    ids = { emailId: _id, mailboxId, threadId: draft.threadId };
  }, 60_000);
  afterAll(() => database.close());

  const asked: Record<string, (workspaceId: string) => Promise<unknown>> = {
    'the email': (workspaceId) => store.find(workspaceId, ids.emailId, budget),
    'its body': async (workspaceId) => (await store.bodies(workspaceId, [ids.emailId], budget))[0] ?? null,
    'its thread': async (workspaceId) =>
      (await store.thread(workspaceId, ids.mailboxId, ids.threadId, 10, budget))[0] ?? null,
    'its drafts': async (workspaceId) => (await store.drafts(workspaceId, 10, budget))[0] ?? null,
    'its replies that wait': async (workspaceId) => (await store.waitingReplies(workspaceId, 10, budget))[0] ?? null,
    'the draft': (workspaceId) => store.findDraft(workspaceId, ids.emailId, budget),
  };
  it.each(Object.keys(asked))('gives %s to that workspace alone', async (name) => {
    expect(await asked[name]?.(theirs)).toMatchObject({ _id: ids.emailId });
    expect(await asked[name]?.(mine)).toBeNull();
  });
});
