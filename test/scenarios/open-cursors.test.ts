import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startEmbeddedMongo, type EmbeddedMongo } from '@postroom/embedded/start';
import { openMailStore, type MailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createPageStore } from '../../services/mailbox-read/src/pages/page-store.ts';
import { emailDocument } from '../support/email-document.ts';
import { minute } from '../support/emails.ts';

// A server of its own: what it holds open is counted for all who use it.
const context = createServiceContext({ name: 'test', logLevel: 'silent' });
let server: EmbeddedMongo;
let store: MailStore;
beforeAll(async () => {
  server = await startEmbeddedMongo();
  store = await openMailStore({ uri: server.uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  const emails = Array.from({ length: 120 }, (_, n) => emailDocument({ workspaceId: 'wsp_1', date: minute(n) }));
  await store.collections.emails.collection.insertMany(emails as never[]);
});
afterAll(async () => {
  await context.lifecycle.close();
  await server.close();
});

const openCursors = async () => {
  const status = await store.connection.db?.admin().serverStatus();
  return Number(status?.metrics.cursor.open.total);
};

it('pages leave no cursor open in a server that keeps those of full batches', async () => {
  const pages = createPageStore(store.collections);
  const call = { remainingMs: () => 5_000, signal: new AbortController().signal };
  for (const count of [1, 2, 51, 101, 119, 120, 121, 201]) {
    const page = await pages.newest('wsp_1', {}, { after: null }, count, call);
    expect(page).toHaveLength(Math.min(120, count));
    expect(await openCursors()).toBe(0);
  }
});
