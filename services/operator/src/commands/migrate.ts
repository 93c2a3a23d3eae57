import { openMailStore } from '@postroom/mail-store/connection';
import { migrate } from '@postroom/mail-store/migrations/migrate';
import type { OnProgress } from '@postroom/mail-store/migrations/progress';
import { SCHEMA_VERSION } from '@postroom/mail-store/schema-version';
import { defineCommand } from '../command/command.ts';
import { flagOption } from '../command/option.ts';
import { migrationLines } from './migration-lines.ts';
import { CommandRefusal, type CommandDeps } from '../command/command-deps.ts';

/** The only command that connects to the database. The services are not ready before it has run. */
export const migrateCommand = defineCommand({
  path: ['migrate'],
  summary: 'Brings the database to the schema of this version while the one before still serves; safe to repeat',
  options: {
    wait: flagOption('--wait', 'for a database that is unavailable, instead of giving up'),
    again: flagOption('--again', 'once the version before is gone: rewrites also what it wrote meanwhile'),
  },
  run: async ({ again, wait }, deps) => {
    const { connection } = await open(deps, wait);
    const say = migrationLines(deps);
    const onProgress: OnProgress = (event) => {
      if (deps.signal.aborted)
        throw new CommandRefusal('stopped: what is done stays done, and the next run goes on from there');
      return say(event);
    };
    const { version, collections, indexes, refused, foreign, passedOver } = await migrate(connection, deps.context, {
      again,
      onProgress,
    });
    return {
      json: {
        schemaVersion: version,
        collections,
        indexes,
        ...(refused > 0 && { refused }),
        ...(foreign.length > 0 && { foreign }),
        ...(passedOver.length > 0 && { passedOver }),
      },
      lines: [
        version > SCHEMA_VERSION
          ? `The database has schema version ${version}, and this build ${SCHEMA_VERSION}: it stays as it is. Run the migration of the newer build.`
          : `The database has schema version ${version}: ${indexes} indexes in ${collections} collections.`,
        ...(refused > 0
          ? [`${refused} partial or expiring indexes were left out: this server has none, and is slower without.`]
          : []),
        ...(passedOver.length > 0 ? [`Could not be rewritten, and stay as they are: ${passedOver.join(', ')}.`] : []),
        ...(foreign.length > 0 ? [`Left alone, because this version does not know them: ${foreign.join(', ')}.`] : []),
      ],
    };
  },
});

const WAIT_MS = 1_000;

async function open(deps: CommandDeps, wait = false) {
  const { context, progress, signal } = deps;
  for (let attempt = 1; ; attempt++) {
    try {
      return await openMailStore({ ...deps.database(), needsSchema: false }, context);
    } catch (error) {
      if (error instanceof CommandRefusal) throw error;
      const what = `the database does not answer: ${(error as Error).message}`;
      if (!wait || signal.aborted) throw new CommandRefusal(`${what}; see that MONGODB_URI is right`);
      if (attempt === 1) progress.write(`${what}; waiting for it\n`);
      await context.clock.sleep(WAIT_MS, signal).catch(() => undefined);
    }
  }
}
