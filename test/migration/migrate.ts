import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Connection } from 'mongoose';
import { openMailStore, type MailStore } from '@postroom/mail-store/connection';
import { migrate, type MigrateOptions, type MigrationOutcome } from '@postroom/mail-store/migrations/migrate';
import type { MigrationEvent } from '@postroom/mail-store/migrations/progress';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../support/database.ts';

export class Killed extends Error {}

interface MigrationWorld extends MailStore {
  uri: string;
  clock: ManualClock;
  /** Runs a migration, and gives what happened in it one by one. */
  run(options?: MigrateOptions): Promise<MigrationOutcome & { events: MigrationEvent[] }>;
  /** Runs one that is killed at its n-th event, counted from nought; false where it had fewer. */
  runUntil(count: number, options?: MigrateOptions): Promise<boolean>;
  indexesOf(collection: string): Promise<Record<string, object>>;
  close(): Promise<void>;
}

/** One world for all tests of a file. Each test finds an empty database in it. */
export function useMigrationWorld(): MigrationWorld {
  const world = {} as MigrationWorld;
  beforeAll(async () => {
    Object.assign(world, await openMigrationWorld());
  });
  afterAll(() => world.close());
  beforeEach(() => world.connection.dropDatabase());
  return world;
}

/** A database without anything in it, and migrations on it that die where a test says. */
async function openMigrationWorld(): Promise<MigrationWorld> {
  const clock = manualClock();
  const context = createServiceContext({ name: 'migration-test', logLevel: 'silent', clock });
  const uri = freshDatabaseUri();
  const store = await openMailStore({ uri, needsSchema: false }, context);
  const { connection } = store;

  const run: MigrationWorld['run'] = async (options = {}) => {
    const events: MigrationEvent[] = [];
    const onProgress: MigrateOptions['onProgress'] = async (event) => {
      events.push(event);
      await options.onProgress?.(event);
    };
    return {
      ...(await migrate(connection, context, { ...(options.steps && { firstVersion: 1 }), ...options, onProgress })),
      events,
    };
  };
  return {
    ...store,
    uri,
    clock,
    run,
    runUntil: async (count, options = {}) => {
      let left = count;
      const onProgress: MigrateOptions['onProgress'] = async (event) => {
        await options.onProgress?.(event);
        if (left-- === 0) throw new Killed();
      };
      try {
        await run({ ...options, onProgress });
        return false;
      } catch (error) {
        if (!(error instanceof Killed)) throw error;
        // A process that is killed gives no lease back; its lease ends by itself.
        await connection
          .collection('schemaVersions')
          .updateOne({}, { $set: { leaseUntil: new Date(clock.now() + 1) } });
        clock.set(clock.now() + 60_000);
        return true;
      }
    },
    indexesOf: (collection) => indexesOf(connection, collection),
    close: async () => {
      await connection.dropDatabase();
      await context.lifecycle.close();
    },
  };
}

async function indexesOf(connection: Connection, collection: string) {
  const listed = await connection.collection(collection).listIndexes().toArray();
  return Object.fromEntries(
    listed
      .filter(({ name }) => name !== '_id_')
      .map(({ name, v: _version, ns: _namespace, ...rest }) => [name as string, rest])
      .toSorted(([one], [other]) => ((one as string) < (other as string) ? -1 : 1)),
  ) as Record<string, object>;
}
