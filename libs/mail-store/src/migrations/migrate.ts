import type { Connection } from 'mongoose';
import type { Clock } from '@postroom/runtime/clock';
import type { Ids } from '@postroom/runtime/ids';
import type { Log } from '@postroom/runtime/log';
import { storedName } from '../stored-names.ts';
import { indexes, type IndexSpec } from '../indexes.ts';
import { bringIndexes, type IndexOutcome, type SayIndex } from './index-changes.ts';
import { underLease } from './lease.ts';
import type { OnProgress } from './progress.ts';
import { runPart, type PartDeps } from './run-part.ts';
import type { MigrationStep } from './step.ts';
import { FIRST_VERSION, steps as everyStep } from './steps.ts';
import { recordSchemaVersion, schemaVersionOf } from '../schema-version.ts';

interface MigrateDeps {
  clock: Clock;
  ids: Ids;
  log: Log;
}

type Declared = Readonly<Record<string, readonly IndexSpec[]>>;

export interface MigrateOptions {
  /** Others than those of this build, for tests. */
  steps?: readonly MigrationStep[];
  /** The version of the first of these steps. */
  firstVersion?: number;
  declared?: Declared;
  onProgress?: OnProgress;
  /** Rewrites once more the documents that services of a former version may have written after a rewrite had passed, however often. */
  again?: boolean;
}

export interface MigrationOutcome {
  /** The version of the database. A later version than that of this build has no figures: nothing is looked at. */
  version: number;
  collections: number;
  indexes: number;
  /** Indexes of a kind that the server does not know. */
  refused: number;
  /** `collection.name` of indexes that the database has and this version does not know. */
  foreign: string[];
  /** `collection id` of documents that could not be rewritten and stay as they are. */
  passedOver: string[];
}

/**
 * Brings a database to the schema of this build while services of the version before go on serving. May be killed
 * anywhere and repeated, and run twice at once. The version is recorded last, so that no service is ready before all
 * is there that it needs.
 */
export async function migrate(
  connection: Connection,
  { clock, ids, log }: MigrateDeps,
  options: MigrateOptions = {},
): Promise<MigrationOutcome> {
  const { steps = everyStep, firstVersion = FIRST_VERSION, again = false } = options;
  const version = firstVersion + steps.length - 1;
  const declared: Declared = options.declared ?? indexes;
  const passedOver: string[] = [];
  const onProgress: OnProgress = async (event) => {
    log.debug(event, 'migrating');
    if (event.at === 'document passed over') passedOver.push(`${event.collection} ${event.id}`);
    await options.onProgress?.(event);
  };
  return underLease({ connection, clock, ids, onProgress }, async ({ assertHeld }) => {
    const from = await schemaVersionOf(connection);
    assertNotOlder(from, firstVersion);
    if (from > version) return leaveAsItIs(from, onProgress);
    const existing = await namesOfCollections(connection);
    const bring = (collection: string) => {
      const name = storedName(collection);
      const isNew = !existing.has(name);
      existing.add(name);
      const say: SayIndex = async (at, index) => {
        await onProgress({ at, collection, index });
        assertHeld();
      };
      return bringIndexes(connection.collection(name), declared[collection] ?? [], say, isNew);
    };
    const deps = { connection, clock, assertHeld, onProgress, bring };
    await runSteps(steps, { from, firstVersion, again }, deps);
    const outcome = totals(Object.keys(declared), await bringAll(Object.keys(declared), bring));
    assertHeld();
    await recordSchemaVersion(connection, version, clock.date());
    await onProgress({ at: 'version recorded', version });
    return { version, ...outcome, passedOver };
  });
}

async function namesOfCollections(connection: Connection): Promise<Set<string>> {
  return new Set((await connection.listCollections()).map(({ name }) => name));
}

function assertNotOlder(from: number, firstVersion: number): void {
  if (from === 0 || from >= firstVersion) return;
  throw new Error(
    `the database has schema version ${from}, and this build upgrades from ${firstVersion} on: start with an empty database, or run "postroom migrate" of a build that has version ${firstVersion} first`,
  );
}

/** The services of a later version need its indexes, and this build runs with them as it did during that upgrade. */
async function leaveAsItIs(version: number, onProgress: OnProgress): Promise<MigrationOutcome> {
  await onProgress({ at: 'newer version left', version });
  return { version, collections: 0, indexes: 0, refused: 0, foreign: [], passedOver: [] };
}

/** Runs the steps that are due. Before them it completes earlier rewrites, because the services of that version are gone now. */
async function runSteps(
  steps: readonly MigrationStep[],
  { from, firstVersion, again: isAsked }: { from: number; firstVersion: number; again: boolean },
  deps: Omit<PartDeps, 'version' | 'isFresh'>,
): Promise<void> {
  const isDue = firstVersion + steps.length - 1 > from;
  for (const [position, { title, parts }] of steps.entries()) {
    const version = firstVersion + position;
    if (version <= from && !isAsked && !isDue) continue;
    if (version > from) await deps.onProgress({ at: 'step begun', version, title });
    for (const [index, part] of parts.entries()) {
      // A database without any version was never served by one before.
      const again = version <= from;
      await runPart(part, `${version}.${index}`, { again, isAsked, isFresh: from === 0 }, { ...deps, version });
    }
    if (version > from) await deps.onProgress({ at: 'step done', version, title });
  }
}

async function bringAll(collections: string[], bring: (collection: string) => Promise<IndexOutcome>) {
  const outcomes: IndexOutcome[] = [];
  for (const collection of collections) outcomes.push(await bring(collection));
  return outcomes;
}

function totals(collections: string[], outcomes: IndexOutcome[]) {
  const sum = (count: (outcome: IndexOutcome) => number) => outcomes.reduce((total, one) => total + count(one), 0);
  return {
    collections: collections.length,
    indexes: sum(({ present }) => present),
    refused: sum(({ refused }) => refused),
    foreign: outcomes.flatMap(({ foreign }, at) => foreign.map((name) => `${collections[at]}.${name}`)),
  };
}
