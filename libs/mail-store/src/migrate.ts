import type { Collection, Connection } from 'mongoose';
import { indexes, type IndexSpec } from './indexes.ts';
import { recordSchemaVersion } from './schema-version.ts';

export interface MigrationStep {
  collection: string;
  indexes: number;
  /** Indexes of a kind that the server does not know. */
  refused: number;
}

/**
 * Brings a database to the schema of this build. Safe to repeat and to run twice at once: an index that is there
 * already is left alone, and the version is recorded last, so that readiness never runs ahead of the indexes.
 */
export async function migrate(
  connection: Connection,
  now: Date,
  onStep: (step: MigrationStep) => void = () => undefined,
): Promise<void> {
  for (const [collection, specs] of Object.entries(indexes) as [string, IndexSpec[]][]) {
    const made = await makeIndexes(connection.collection(collection), specs);
    onStep({ collection, indexes: made.length, refused: specs.length - made.length });
  }
  await recordSchemaVersion(connection, now);
}

const NOT_IMPLEMENTED = 238;

/**
 * The indexes that were made. A server that refuses partial or expiring ones goes without them: no answer depends on
 * either, only how long a page takes and how long a record stays that nobody reads any more.
 */
async function makeIndexes(collection: Collection, specs: IndexSpec[]): Promise<IndexSpec[]> {
  if (specs.length === 0) return specs;
  try {
    await collection.createIndexes(specs.map(toDescription));
    return specs;
  } catch (error) {
    const plain = specs.filter(({ only, expires }) => !only && !expires);
    if ((error as { code?: unknown }).code !== NOT_IMPLEMENTED || plain.length === specs.length) throw error;
    return makeIndexes(collection, plain);
  }
}

function toDescription(spec: IndexSpec) {
  return {
    name: spec.name,
    key: spec.key,
    ...(spec.unique && { unique: true }),
    ...(spec.only && { partialFilterExpression: spec.only }),
    ...(spec.expires && { expireAfterSeconds: 0 }),
  };
}
