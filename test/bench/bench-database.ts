import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { openMailStore, type MailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { mongo } from 'mongoose';
import { startChild } from './child.ts';
import type { BenchConfig } from './config.ts';
import { benchEmail, benchMailbox } from './mail.ts';

export interface BenchDatabase extends MailStore {
  uri: string;
  /** Processor microseconds of the database where it is ours, 0 where it is somebody else's process. */
  micros(): Promise<number>;
  rss(): Promise<number>;
  close(): Promise<void>;
}

const BATCH = 1_000;

/** A database with `emails` emails in one workspace, dropped at the end. */
export async function openBenchDatabase(
  config: BenchConfig,
  emails: number,
  print: (line: string) => void,
): Promise<BenchDatabase> {
  const embedded = config.mongodbUri ? undefined : await startChild('embedded-mongo');
  const uri = (config.mongodbUri ?? embedded?.ready.uri ?? '').replace(/\/[^/]*$/, `/bench_${emails}`);
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const store = await openMailStore({ uri, needsSchema: false }, context);
  await store.connection.dropDatabase();
  await migrate(store.connection, context);
  await store.collections.mailboxes.insertMany([benchMailbox]);
  await fill(store, emails, print);
  return {
    ...store,
    uri,
    micros: async () => (await embedded?.cpu()) ?? 0,
    rss: async () => (await embedded?.memory()) ?? 0,
    close: async () => {
      await store.connection.dropDatabase();
      await context.lifecycle.close();
      await embedded?.close();
    },
  };
}

async function fill({ collections }: MailStore, emails: number, print: (line: string) => void): Promise<void> {
  // The driver's own collection: casting a million documents would take longer than storing them.
  const stored = collections.emails.collection as unknown as mongo.Collection<EmailDocument>;
  for (let done = 0; done < emails; done += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, emails - done) }, (_, index) => benchEmail(done + index));
    await stored.insertMany(batch, { ordered: false });
    if ((done + BATCH) % 20_000 === 0) print(`  filled ${done + BATCH} of ${emails} emails`);
  }
}
