import type { Connection } from 'mongoose';
import { indexes, type IndexSpec } from './indexes.ts';
import { recordSchemaVersion } from './schema-version.ts';

export interface MigrationStep {
  collection: string;
  indexes: number;
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
    if (specs.length > 0) await connection.collection(collection).createIndexes(specs.map(toDescription));
    onStep({ collection, indexes: specs.length });
  }
  await recordSchemaVersion(connection, now);
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
