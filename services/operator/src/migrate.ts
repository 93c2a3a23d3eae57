import { openMailStore } from '@postroom/mail-store/connection';
import { migrate, type MigrationStep } from '@postroom/mail-store/migrate';
import { SCHEMA_VERSION } from '@postroom/mail-store/schema-version';
import { defineCommand } from './command.ts';
import { Refusal, type Deps } from './deps.ts';

/** The one command that speaks to the database itself: the services wait for it before they are ready. */
export const migrateCommand = defineCommand({
  path: ['migrate'],
  summary: 'Brings the database to the schema of this version; safe to repeat',
  options: {},
  run: async (_values, deps) => {
    const { connection } = await open(deps);
    const steps: MigrationStep[] = [];
    await migrate(connection, deps.context.clock.date(), (step) => steps.push(step));
    const indexes = steps.reduce((sum, step) => sum + step.indexes, 0);
    const refused = steps.reduce((sum, step) => sum + step.refused, 0);
    return {
      json: { schemaVersion: SCHEMA_VERSION, collections: steps.length, indexes, ...(refused > 0 && { refused }) },
      lines: [
        `The database has schema version ${SCHEMA_VERSION}: ${indexes} indexes in ${steps.length} collections.`,
        ...(refused > 0
          ? [`${refused} partial or expiring indexes were left out: this server has none, and is slower without.`]
          : []),
      ],
    };
  },
});

async function open(deps: Deps) {
  try {
    return await openMailStore({ ...deps.database(), needsSchema: false }, deps.context);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw new Refusal(`the database does not answer: ${(error as Error).message}; see that MONGODB_URI is right`);
  }
}
