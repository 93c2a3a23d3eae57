import type { ClassificationDocument } from '../documents/classification.ts';
import { CLASSIFICATION_KEPT_MS } from '../kept-for.ts';
import { type MigrationStep, rewrite } from './step.ts';

type Classification = Pick<ClassificationDocument, '_id' | 'workspaceId' | 'createdAt' | 'expiresAt'>;

/** An email without the new fields is one that nobody works on and that never failed. */
export const classificationsExpire: MigrationStep = {
  title: 'classifications expire, and emails that wait for theirs are found by workspace',
  parts: [
    rewrite<Classification>({
      collection: 'classifications',
      reads: ['createdAt', 'expiresAt'],
      whileSame: ['createdAt'],
      atOnce: 500,
      *updates(classifications) {
        for (const document of classifications) {
          if (document.expiresAt) continue;
          const expiresAt = new Date(document.createdAt.getTime() + CLASSIFICATION_KEPT_MS);
          yield { document, change: { $set: { expiresAt } } };
        }
      },
    }),
  ],
};
