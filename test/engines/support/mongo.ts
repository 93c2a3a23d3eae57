import { execFileSync } from 'node:child_process';
import { afterAll, beforeAll, describe, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from '@postroom/embedded/start';
import { mongo } from 'mongoose';
import { skipAloud } from '../../support/skips.ts';
import type { Capabilities, Capability } from './capabilities.ts';

interface Target {
  name: string;
  uri: string | undefined;
  capabilities: Capabilities;
}

/** All but transactions: what the embedded server says of itself is checked by a test of its own. */
export const embeddedCapabilities: Capabilities = {
  version: '7.0.0 (embedded)',
  sessions: true,
  transactions: false,
  partialIndexes: true,
  ttl: true,
  maxTimeMS: true,
  explain: true,
  keyPattern: true,
  indexNames: true,
  expressions: true,
  arrayUpdates: true,
  projections: true,
  failPoints: true,
  killOp: true,
  documentLimit: true,
  strict: true,
};

/** Jest wants to know while it collects the tests which to skip, hence a process that is waited for. */
function probe(uri: string): Capabilities {
  const known = process.env['POSTROOM_MONGODB_CAPABILITIES'];
  if (known) return JSON.parse(known) as Capabilities;
  const fromSource = ['--conditions=@postroom/source', '-r', require.resolve('@postroom/from-source/register')];
  const out = execFileSync(process.execPath, [...fromSource, require.resolve('./capabilities.ts'), uri], {
    encoding: 'utf8',
  });
  process.env['POSTROOM_MONGODB_CAPABILITIES'] = out;
  return JSON.parse(out) as Capabilities;
}

/** The embedded server is started anew for every file, because fail points and parameters are for a whole server. */
function targets(): Target[] {
  const given = process.env['MONGODB_URI'];
  const own = { name: 'embedded', uri: undefined, capabilities: embeddedCapabilities };
  if (!given) return [own];
  const capabilities = probe(given);
  return [own, { name: `MONGODB_URI, version ${capabilities.version}`, uri: given, capabilities }];
}

/**
 * `it` where the database under the whole stack can do all this, because the product needs it there; elsewhere
 * `it.skip`, said aloud.
 */
export function whenDatabaseHas(...needed: Capability[]): typeof it | typeof it.skip {
  const target = targets().at(-1) as Target;
  const lacking = needed.filter((capability) => !target.capabilities[capability]);
  if (lacking.length === 0) return it;
  skipAloud(`tests of the product that need ${lacking.join(', ')} (${target.name})`);
  return it.skip;
}

interface Suite {
  capabilities: Capabilities;
  client(): mongo.MongoClient;
  /** A database of this file and run alone. */
  db(): mongo.Db;
  /** An empty collection, every time another one. */
  collection<T extends mongo.Document = mongo.Document & { _id: unknown }>(): mongo.Collection<T>;
  /** `it` where the server can do all this, `it.skip` where it cannot. */
  when(...needed: Capability[]): typeof it | typeof it.skip;
}

/** Runs the same tests on the embedded server and, where there is one, on the server of MONGODB_URI. */
export function describeMongo(title: string, body: (suite: Suite) => void): void {
  for (const { name, uri, capabilities } of targets()) {
    describe(`${title} (${name})`, () => {
      let started: EmbeddedMongo | undefined;
      let client: mongo.MongoClient;
      let db: mongo.Db;
      let collections = 0;
      const skipped = new Set<Capability>();
      beforeAll(async () => {
        started = uri === undefined ? await startEmbeddedMongo() : undefined;
        client = await mongo.MongoClient.connect(uri ?? (started as EmbeddedMongo).uri);
        db = client.db(`conformance_${process.pid}_${Math.random().toString(36).slice(2, 8)}`);
      });
      afterAll(async () => {
        await db.dropDatabase();
        await client.close();
        await started?.close();
        if (skipped.size > 0) skipAloud(`tests of ${title} that need ${[...skipped].join(', ')} (${name})`);
      });
      body({
        capabilities,
        client: () => client,
        db: () => db,
        collection<T extends mongo.Document>() {
          collections += 1;
          return db.collection<T>(`c${collections}`);
        },
        when(...needed) {
          const lacking = needed.filter((capability) => !capabilities[capability]);
          for (const capability of lacking) skipped.add(capability);
          return lacking.length > 0 ? it.skip : it;
        },
      });
    });
  }
}

/** The error of an operation that has to fail. */
export async function errorOf(work: Promise<unknown>): Promise<mongo.MongoServerError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof mongo.MongoServerError) return error;
    throw error;
  }
  throw new Error('the operation was expected to fail');
}

/**
 * A session with an id of its own, for commands that carry a transaction number of their own. It does not go back to
 * the driver's pool, where its numbers would disturb others.
 */
export async function inSession<T>(
  client: mongo.MongoClient,
  id: mongo.UUID,
  work: (session: mongo.ClientSession) => Promise<T>,
): Promise<T> {
  return client.withSession((session) => {
    const { serverSession } = session as unknown as { serverSession: { id: { id: mongo.UUID }; isDirty: boolean } };
    Object.assign(serverSession, { id: { id }, isDirty: true });
    return work(session);
  });
}
