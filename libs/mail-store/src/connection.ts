import mongoose from 'mongoose';
import type { ServiceContext } from '@postroom/runtime/service';
import { openCollections, type Collections } from './collections.ts';
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
/** One second past the longest that any caller waits: what the database does longer, it does for nobody. */
const OPERATION_MS = 11_000;

const driverOptions = {
  // Fails while the caller still waits, instead of after the driver's half minute; an election is over by then.
  serverSelectionTimeoutMS: 5_000,
  // Also how long the driver's own question may take. When it takes longer every call under way is cut off, so this is
  // no shorter than the longest that a caller waits: a server that only stutters costs nobody an error.
  connectTimeoutMS: 10_000,
  // Whoever stood in line for so long has been answered by somebody else.
  waitQueueTimeoutMS: 10_000,
  // What met a step-down or a broken connection runs once more; the server knows it by its number.
  retryWrites: true,
  retryReads: true,
  autoIndex: false,
  autoCreate: false,
} as const;

/** Opens the database, hands over its models, and ties readiness and closing to the service. */
export async function openMailStore(options: StoreOptions, context: ServiceContext): Promise<MailStore> {
  const { tracing } = context;
  const needsSchema = options.needsSchema ?? true;
  const connection = await mongoose.createConnection(options.uri, connectOptions(options, context)).asPromise();
  if (tracing.enabled) traceCommands(connection.getClient(), tracing);
  context.lifecycle.add('mongodb', () => connection.close());
  if (needsSchema) context.readiness.add('schema', () => requireSchema(connection));
  return { connection, collections: openCollections(connection) };
}

function connectOptions(options: StoreOptions, { name, tracing }: ServiceContext): mongoose.ConnectOptions {
  const { tlsCa, poolSize = POOL_SIZE, needsSchema = true, staleReads = false } = options;
  return {
    ...driverOptions,
    appName: `postroom-${name}`,
    maxPoolSize: poolSize,
    // An acknowledged write outlives the member that took it.
    writeConcern: { w: 'majority' },
    // Whoever writes must read what was written; only what just shows mail may follow the address elsewhere.
    ...(!staleReads && { readPreference: 'primary' }),
    // Making an index takes as long as it takes.
    ...(needsSchema && { socketTimeoutMS: OPERATION_MS }),
    ...(tlsCa && { tls: true, ca: tlsCa }),
    // The driver gathers these events only where somebody looks at them.
    monitorCommands: tracing.enabled,
  };
}

async function requireSchema(connection: mongoose.Connection): Promise<void> {
  const version = await schemaVersionOf(connection);
  if (version >= SCHEMA_VERSION) return;
  throw new Error(`schema version is ${version}, ${SCHEMA_VERSION} is needed: run "postroom migrate"`);
}
