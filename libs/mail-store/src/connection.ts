import mongoose from 'mongoose';
import type { ServiceContext } from '@postroom/runtime/service';
import { untilItAnswers } from '@postroom/runtime/until-it-answers';
import { exchangeClient } from './exchange-client.ts';
import { type CollectionsOf, collectionsOf } from './access.ts';
import { openCollections, type Collections } from './collections.ts';
import { mendMongodb } from './mongodb-patch.ts';
import { SCHEMA_VERSION, schemaVersionOf } from './schema-version.ts';
import type { StoreSettings } from './store-fields.ts';
import { traceCommands } from './trace-commands.ts';

export interface MailStore {
  connection: mongoose.Connection;
  collections: Collections;
}

export interface StoreOptions extends StoreSettings {
  /** The migration opens the store before the schema is there; everyone else waits for it. */
  needsSchema?: boolean;
  /** Reads may go where the address sends them by its readPreference, and so be a moment behind. */
  staleReads?: boolean;
}

const POOL_SIZE = 20;
/** One second more than the longest wait of a caller. After it nobody waits for the database. */
const OPERATION_MS = 11_000;

const driverOptions = {
  // Fails while the caller still waits, instead of after the driver's half minute; an election is over by then.
  serverSelectionTimeoutMS: 5_000,
  // It also limits the driver's heartbeat. A heartbeat that takes longer cuts off all running calls, so the limit is not
  // shorter than the longest wait of a caller. A slow server then causes no error.
  connectTimeoutMS: 10_000,
  // Connections that a network has lost, and says nothing of, are known twelve seconds later: this pause and that limit.
  heartbeatFrequencyMS: 2_000,
  // A caller that waited so long for a connection has had its timeout already.
  waitQueueTimeoutMS: 10_000,
  // An operation that met a step-down or a broken connection runs once more. The server recognises it by its number.
  retryWrites: true,
  retryReads: true,
} as const;

/** Opens the database for one service: its own collections to write, all others to read. */
export async function openMailStoreFor<W extends string>(
  writer: W,
  options: StoreOptions,
  context: ServiceContext,
): Promise<Pick<MailStore, 'connection'> & { collections: CollectionsOf<W> }> {
  const { connection, collections } = await openMailStore(options, context);
  return { connection, collections: collectionsOf(collections, writer) };
}

/** Opens the database, hands over its models, and ties readiness and closing to the service. */
export async function openMailStore(options: StoreOptions, context: ServiceContext): Promise<MailStore> {
  mendMongodb();
  const { tracing, clock } = context;
  const needsSchema = options.needsSchema ?? true;
  const settings = connectOptions(options, context);
  const trace = (client: mongoose.mongo.MongoClient) => (tracing.enabled ? traceCommands(client, tracing) : undefined);
  let uri = options.uri;
  let connection: mongoose.Connection | undefined;
  context.changes.on('MONGODB_URI', async (changed) => {
    if (connection)
      trace(
        await exchangeClient(connection, { uri: changed, options: settings, drained: () => clock.sleep(OPERATION_MS) }),
      );
    uri = changed;
  });
  const connect = () =>
    mongoose.createConnection(uri, { ...settings, autoIndex: false, autoCreate: false }).asPromise();
  // A command fails and can be repeated. A service waits, and its readiness shows it.
  connection = await (needsSchema ? untilItAnswers('database', connect, context) : connect());
  const opened = connection;
  trace(opened.getClient());
  context.lifecycle.add('mongodb', () => opened.close());
  if (needsSchema) await untilSchemaIsThere(opened, context);
  return { connection: opened, collections: openCollections(opened) };
}

function connectOptions(options: StoreOptions, { name, tracing }: ServiceContext) {
  const { tlsCa, poolSize = POOL_SIZE, needsSchema = true, staleReads = false } = options;
  return {
    ...driverOptions,
    appName: `postroom-${name}`,
    maxPoolSize: poolSize,
    // An acknowledged write outlives the member that took it.
    writeConcern: { w: 'majority' as const },
    // A service that writes must read its own writes. Only listings may read where the address sends them.
    ...(!staleReads && { readPreference: 'primary' as const }),
    // Making an index takes as long as it takes.
    ...(needsSchema && { socketTimeoutMS: OPERATION_MS }),
    ...(tlsCa && { tls: true, ca: tlsCa }),
    // The driver collects these events only when somebody reads them.
    monitorCommands: tracing.enabled,
  };
}

/** A service whose work began before would write without the indexes that keep a key unique. */
async function untilSchemaIsThere(connection: mongoose.Connection, context: ServiceContext): Promise<void> {
  const check = () => requireSchema(connection);
  await untilItAnswers('schema', check, context, 'the schema is not there; no work begins until it is');
  context.readiness.add('schema', check);
}

async function requireSchema(connection: mongoose.Connection): Promise<void> {
  const version = await schemaVersionOf(connection);
  if (version >= SCHEMA_VERSION) return;
  throw new Error(`schema version is ${version}, ${SCHEMA_VERSION} is needed: run "postroom migrate"`);
}
