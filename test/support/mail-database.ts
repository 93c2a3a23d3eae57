import { openMailStore, type MailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from './database.ts';

export interface TestDatabase extends MailStore {
  uri: string;
  close(): Promise<void>;
}

/** A migrated database of this test file's own, without any service on it. */
export async function openTestDatabase(): Promise<TestDatabase> {
  const uri = freshDatabaseUri();
  const context = createServiceContext({ name: 'test', logLevel: 'silent' });
  const store = await openMailStore({ uri, needsSchema: false }, context);
  await migrate(store.connection, context);
  return {
    ...store,
    uri,
    close: async () => {
      await store.connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}
