import type { IdempotencyDocument, StoredAnswer } from '../documents/gateway.ts';
import { rewrite, type MigrationStep } from './step.ts';

interface OldAnswer extends Omit<StoredAnswer, 'units'> {
  cost?: number;
}

type Kept = Pick<IdempotencyDocument, '_id' | 'workspaceId'> & { answer: StoredAnswer | OldAnswer | null };

/** What a kept answer had used of the quota is called as everywhere else. */
export const units: MigrationStep = {
  title: 'kept answers say their units',
  parts: [
    rewrite<Kept>({
      collection: 'idempotencyRecords',
      reads: ['answer'],
      whileSame: ['answer'],
      // An answer may be as large as its limit, and a batch of them is in memory at once.
      atOnce: 20,
      *updates(records) {
        for (const record of records) {
          const { answer } = record;
          if (!answer || !('cost' in answer)) continue;
          const { status, body, cost = 1 } = answer;
          yield { document: record, change: { $set: { answer: { status, body, units: cost } } } };
        }
      },
    }),
  ],
};
