import type { Collection, Connection } from 'mongoose';
import type { SchemaVersionDocument } from './documents/gateway.ts';

/** The version that this build needs: that of the last migration step. */
export const SCHEMA_VERSION = 64;

export const SCHEMA_ID = 'postroom';

export const versionsOf = (connection: Connection): Collection<SchemaVersionDocument> =>
  connection.collection<SchemaVersionDocument>('schemaVersions');

export async function schemaVersionOf(connection: Connection): Promise<number> {
  // Only what no step-down can take back counts as done.
  const readConcern = { level: 'majority' } as const;
  const stored = await versionsOf(connection).findOne({ _id: SCHEMA_ID }, { maxTimeMS: 2_000, readConcern });
  return stored?.version ?? 0;
}

export async function recordSchemaVersion(connection: Connection, version: number, now: Date): Promise<void> {
  await versionsOf(connection).updateOne(
    { _id: SCHEMA_ID },
    { $max: { version }, $set: { migratedAt: now } },
    { upsert: true },
  );
}
