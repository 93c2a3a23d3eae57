import type { Connection } from 'mongoose';

/** Raised with every change of a shape or an index that older data must be brought to. */
export const SCHEMA_VERSION = 1;

const ID = 'postroom';

interface StoredVersion {
  _id: string;
  version: number;
}

export async function schemaVersionOf(connection: Connection): Promise<number> {
  const stored = await connection
    .collection<StoredVersion>('schemaVersions')
    .findOne({ _id: ID }, { maxTimeMS: 2_000 });
  return stored?.version ?? 0;
}

export async function recordSchemaVersion(connection: Connection, now: Date): Promise<void> {
  await connection
    .collection<StoredVersion>('schemaVersions')
    .updateOne({ _id: ID }, { $max: { version: SCHEMA_VERSION }, $set: { migratedAt: now } }, { upsert: true });
}
