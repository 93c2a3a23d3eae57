import { mongo } from 'mongoose';

/** Features of a MongoDB-protocol server beyond plain reads and writes. Probes detect them, not its name. */
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
  /** The message of a duplicate names its index. */
  indexNames: boolean;
  /** `$expr`, with the position of one text in another. */
  expressions: boolean;
  /** Conditions in `$pull`, modifiers of `$push`, elements chosen by a filter. */
  arrayUpdates: boolean;
  /** Parts of arrays in a find, and any projection at all in a findAndModify. */
  projections: boolean;
  failPoints: boolean;
  killOp: boolean;
  /** Refuses an update that would make a document larger than 16 MB. */
  documentLimit: boolean;
  /** Refuses operators, stages, options and indexes that do not exist or do not fit. */
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
  const search = { $or: Array.from({ length: 20 }, (_, n) => ({ text: { $regex: `never ${n}$` } })) };
  return (await codeOf(() => items.find(search, { maxTimeMS: 1 }).toArray())) === 50;
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

async function namesIndex(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number; n: number }>('named');
  await items.createIndex({ n: 1 }, { name: 'n_once', unique: true });
  await items.insertOne({ _id: 1, n: 1 });
  const refusal = await items.insertOne({ _id: 2, n: 1 }).then(() => '', String);
  return refusal.includes('n_once');
}

async function hasExpressions(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number; text: string }>('computed');
  await items.insertOne({ _id: 1, text: 'abc' });
  return succeeds(() => items.find({ $expr: { $gte: [{ $indexOfCP: ['$text', { $literal: 'b' }] }, 0] } }).toArray());
}

async function hasArrayUpdates(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number; a: number[] }>('arrays');
  await items.insertOne({ _id: 1, a: [5, 1, 9] });
  const isDone = await succeeds(async () => {
    await items.updateOne({ _id: 1 }, { $pull: { a: { $gte: 9 } } });
    await items.updateOne({ _id: 1 }, { $push: { a: { $each: [3], $sort: 1, $slice: 2 } } });
    await items.updateOne({ _id: 1 }, { $inc: { 'a.$[large]': 1 } }, { arrayFilters: [{ large: { $gt: 2 } }] });
  });
  // Some take a modifier and do nothing of what it says.
  return isDone && (await items.findOne({ _id: 1 }))?.a.join() === '1,4';
}

async function hasProjections(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number; a: number[] }>('projected');
  await items.insertOne({ _id: 1, a: [1, 2] });
  return succeeds(async () => {
    await items.findOne({}, { projection: { a: { $slice: 1 } } });
    await items.findOneAndUpdate({}, { $set: { b: 1 } }, { projection: { b: 1 } });
  });
}

async function canKill(admin: Db): Promise<boolean> {
  return succeeds(async () => {
    await admin.command({ currentOp: 1 });
    // Of nobody: that it is taken is all that is asked here.
    await admin.command({ killOp: 1, op: 2_147_483_647 });
  });
}

async function limitsDocuments(db: Db): Promise<boolean> {
  const items = db.collection<{ _id: number }>('large');
  const half = 'x'.repeat(9 * 1024 * 1024);
  await items.insertOne({ _id: 1, half } as { _id: number });
  return !(await succeeds(() => items.updateOne({ _id: 1 }, { $set: { other: half } })));
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
    () => db.collection('once').find({}).hint('no_such_index').toArray(),
    () => db.collection('once').createIndex({ _id: 1, n: 1 }, { name: 'another' }),
  ];
  await db.collection('once').createIndex({ _id: 1, n: 1 }, { name: 'one' });
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
      indexNames: await namesIndex(db),
      expressions: await hasExpressions(db),
      arrayUpdates: await hasArrayUpdates(db),
      projections: await hasProjections(db),
      failPoints: await succeeds(() => client.db('admin').command({ configureFailPoint: 'failCommand', mode: 'off' })),
      killOp: await canKill(client.db('admin')),
      documentLimit: await limitsDocuments(db),
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
