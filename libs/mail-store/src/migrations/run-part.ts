import { storedName } from '../stored-names.ts';
import type { Connection } from 'mongoose';
import type { Clock } from '@postroom/runtime/clock';
import type { MigrationPartDocument } from '../documents/gateway.ts';
import type { IndexOutcome } from './index-changes.ts';
import { dropIndex } from './index-commands.ts';
import type { OnProgress } from './progress.ts';
import { runRewrite } from './run-rewrite.ts';
import type { MigrationPart, Rewrite } from './step.ts';

export interface PartDeps {
  connection: Connection;
  clock: Clock;
  version: number;
  assertHeld(): void;
  onProgress: OnProgress;
  /** Brings the indexes of a collection to the list. */
  bring(collection: string): Promise<IndexOutcome>;
}

interface Pass {
  /** The step was done before, and only what was written behind its back is left. */
  again: boolean;
  /** An operator asks for it, because an earlier version has written since: also what was rewritten again is, once more. */
  isAsked: boolean;
  /** No other version has written to this database. */
  isFresh: boolean;
}

export async function runPart(part: MigrationPart, id: string, pass: Pass, deps: PartDeps): Promise<void> {
  if (part.kind === 'rewrite') return rewriteAll(part.rewrite, id, pass, deps);
  if (pass.again) return;
  await deps.bring(part.collection);
  if (part.kind === 'makeIndexes') return;
  for (const index of part.names) {
    deps.assertHeld();
    const wasThere = await dropIndex(deps.connection.collection(storedName(part.collection)), index);
    if (wasThere) await deps.onProgress({ at: 'index dropped', collection: part.collection, index });
  }
}

/** More documents of one rewrite that cannot be rewritten are a fault of the step. */
const MOST_PASSED_OVER = 100;

/** A rewrite runs once, and once more after the services of the former version are gone. */
async function rewriteAll(rewrite: Rewrite<never>, id: string, { again, isAsked, isFresh }: Pass, deps: PartDeps) {
  const { clock, connection, version, onProgress } = deps;
  const parts = connection.collection<MigrationPartDocument>('migrationParts');
  const stored = await parts.findOne({ _id: id });
  const isDone = again ? stored?.settledAt && !isAsked : stored?.finishedAt;
  if (isDone) return;
  // The second pass begins at the start, and continues where it was killed, like the first.
  const isBegun = stored !== null && (!again || (stored.pass === 2 && !stored.settledAt));
  const keep = (fields: Partial<MigrationPartDocument>) =>
    parts.updateOne({ _id: id }, { $set: { pass: again ? 2 : 1, ...fields } }, { upsert: true });

  const { collection } = rewrite;
  const total = await connection.collection(storedName(collection)).estimatedDocumentCount();
  let passedOver = 0;
  const from = isBegun ? stored : { after: null, seen: 0, changed: 0 };
  const { seen, changed } = await runRewrite(rewrite, from, {
    ...deps,
    onBatch: async (position) => {
      await keep({ ...position, settledAt: null });
      await onProgress({ at: 'batch written', version, collection, total, ...figures(position) });
    },
    onPassedOver: async (id, cause) => {
      passedOver += 1;
      const what = `step ${version} cannot rewrite ${id} of ${collection}: ${cause}`;
      if (passedOver > MOST_PASSED_OVER) throw new Error(`${what}, nor ${MOST_PASSED_OVER} others before it`);
      await onProgress({ at: 'document passed over', version, collection, id, cause });
    },
  });
  const now = clock.date();
  await keep(again ? { settledAt: now } : { finishedAt: now, settledAt: isFresh ? now : null });
  await onProgress({ at: 'part done', version, collection, seen, changed, total });
}

const figures = ({ seen, changed }: { seen: number; changed: number }) => ({ seen, changed });
