import { mongo } from 'mongoose';

/** What a MongoDB-protocol server can do beyond plain reading and writing. Found by trying, not by its name. */
export interface Capabilities {
  version: string;
  /** Sessions and retryable writes, which only members of a replica set have. */
  sessions: boolean;
  transactions: boolean;
  partialIndexes: boolean;
  /** The sweep of expired documents can be hurried, so that a test can wait for it. */
  ttl: boolean;
  maxTimeMS: boolean;
  /** `executionStats` that count, and a plan that uses a secondary index. */
  explain: boolean;
  keyPattern: boolean;
  failPoints: boolean;
  killOp: boolean;
  /** Refuses operators, stages and options that do not exist. */
  strict: boolean;
}

export type Capability = Exclude<keyof Capabilities, 'version'>;

type Db = mongo.Db;

const succeeds = async (work: () => Promise<unknown>): Promise<boolean> => {
  try {
    await work();
    return true;
  } catch {
    return false;
  }
};

const codeOf = async (work: () => Promise<unknown>): Promise<number | undefined> => {
  try {
    await work();
    return undefined;
  } catch (error) {
    return error instanceof mongo.MongoServerError ? Number(error.code) : undefined;
  }
};

async function hasPartialIndexes(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number; key: number; live: boolean }>('partial');
  const options = { name: 'live_key', unique: true, partialFilterExpression: { live: true } };
  if (!(await succeeds(() => items.createIndex({ key: 1 }, options)))) return false;
  return succeeds(() => items.insertMany([1, 2].map((_id) => ({ _id, key: 1, live: false }))));
}

async function hasTimeLimit(db: Db): Promise<boolean> {
  const items = db.collection('slow');
  await items.insertMany(Array.from({ length: 4000 }, (_, n) => ({ n, text: 'x'.repeat(200) })));
  const pipeline = [{ $group: { _id: '$n', texts: { $push: '$text' } } }, { $sort: { _id: -1 } }];
  return (await codeOf(() => items.aggregate(pipeline, { maxTimeMS: 1 }).toArray())) === 50;
}

async function hasExplain(db: Db): Promise<boolean> {
  const items = db.collection('explained');
  await items.insertMany(Array.from({ length: 50 }, (_, n) => ({ n, even: n % 2 === 0 })));
  await items.createIndex({ n: 1 }, { name: 'by_n' });
  const plan = await items
    .find({ n: 7 })
    .explain('executionStats')
    .catch(() => undefined);
  return plan?.['executionStats']?.totalDocsExamined === 1;
}

async function namesKey(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number }>('once');
  await items.insertOne({ _id: 1 });
  try {
    await items.insertOne({ _id: 1 });
  } catch (error) {
    return error instanceof mongo.MongoServerError && error['keyPattern']?._id === 1;
  }
  return false;
}

async function isStrict(db: Db): Promise<boolean> {
  const unknown = [
    () => db.command({ find: 'once', filter: {}, noSuchOption: 1 }),
    () =>
      db
        .collection('once')
        .find({ _id: { $noSuchOperator: 1 } as never })
        .toArray(),
    () =>
      db
        .collection('once')
        .aggregate([{ $noSuchStage: {} }])
        .toArray(),
  ];
  const refused = await Promise.all(unknown.map(async (work) => !(await succeeds(work))));
  return refused.every(Boolean);
}

/** Tries a server out, in a database of its own that is dropped afterwards. */
export async function capabilitiesOf(uri: string): Promise<Capabilities> {
  const client = await mongo.MongoClient.connect(uri, { serverSelectionTimeoutMS: 10_000 });
  const db = client.db(`capabilities_${process.pid}_${Date.now().toString(36)}`);
  try {
    // Servers older than 5.0, and some that only speak the protocol, know the first command by its old name alone.
    const hello = await db.command({ hello: 1 }).catch(() => db.command({ isMaster: 1 }));
    const build = await db.command({ buildInfo: 1 });
    const sessions = hello['logicalSessionTimeoutMinutes'] !== undefined && hello['setName'] !== undefined;
    const ours = build['modules']?.includes('postroom-embedded') === true;
    return {
      version: `${build['version']}${ours ? ' (embedded)' : ''}`,
      sessions,
      transactions: sessions && !ours,
      partialIndexes: await hasPartialIndexes(db),
      ttl: await succeeds(() => client.db('admin').command({ setParameter: 1, ttlMonitorSleepSecs: 1 })),
      maxTimeMS: await hasTimeLimit(db),
      explain: await hasExplain(db),
      keyPattern: await namesKey(db),
      failPoints: await succeeds(() => client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })),
      killOp: await succeeds(() => client.db('admin').command({ currentOp: 1 })),
      strict: await isStrict(db),
    };
  } finally {
    await db.dropDatabase();
    await client.close();
  }
}

async function main(): Promise<void> {
  process.stdout.write(JSON.stringify(await capabilitiesOf(process.argv[2] ?? '')));
}

if (require.main === module) void main();
