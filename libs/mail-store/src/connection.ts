import mongoose from 'mongoose';
import type { ServiceContext } from '@postroom/runtime/service';
import { openCollections, type Collections } from './collections.ts';
import { SCHEMA_VERSION, schemaVersionOf } from './schema-version.ts';
import { traceCommands } from './trace-commands.ts';

export interface MailStore {
  connection: mongoose.Connection;
  collections: Collections;
}

interface StoreOptions {
  uri: string;
  poolSize?: number;
  /** The migration opens the store before the schema is there; everyone else waits for it. */
  needsSchema?: boolean;
}

const driverOptions = {
  // Fails within the readiness probe's patience instead of the driver's half minute.
  serverSelectionTimeoutMS: 5_000,
  connectTimeoutMS: 5_000,
  retryWrites: true,
  retryReads: true,
  autoIndex: false,
  autoCreate: false,
} as const;

/** Opens the database, hands over its models, and ties readiness and closing to the service. */
export async function openMailStore(options: StoreOptions, context: ServiceContext): Promise<MailStore> {
  const { tracing } = context;
  const connection = await mongoose
    .createConnection(options.uri, {
      ...driverOptions,
      appName: `postroom-${context.name}`,
      maxPoolSize: options.poolSize ?? 20,
      writeConcern: { w: 'majority' },
      // The driver gathers these events only where somebody looks at them.
      monitorCommands: tracing.enabled,
    })
    .asPromise();
  if (tracing.enabled) traceCommands(connection.getClient(), tracing);
  context.lifecycle.add('mongodb', () => connection.close());
  if (options.needsSchema ?? true) {
    context.readiness.add('schema', () => requireSchema(connection));
  }
  return { connection, collections: openCollections(connection) };
}

async function requireSchema(connection: mongoose.Connection): Promise<void> {
  const version = await schemaVersionOf(connection);
  if (version >= SCHEMA_VERSION) return;
  throw new Error(`schema version is ${version}, ${SCHEMA_VERSION} is needed: run "postroom migrate"`);
}
