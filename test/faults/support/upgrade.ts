import type { CollectionName } from '@postroom/mail-store/collections';
import { indexes, type IndexSpec } from '@postroom/mail-store/indexes';
import { foldAgain } from '@postroom/mail-store/migrations/fold-again';
import { rebuildListProjections } from '@postroom/mail-store/migrations/rebuild-list-projections';
import { dropIndexes, makeIndexes, type MigrationStep } from '@postroom/mail-store/migrations/step';
import { steps as ours } from '@postroom/mail-store/migrations/steps';

/** Has no use any more in the version that this upgrade is to. */
export const OLD_INDEX: IndexSpec = { name: 'old_subject', key: { workspaceId: 1, subject: 1 } };
/** Means something else in it, under the same name. */
export const CHANGED_INDEX: IndexSpec = {
  name: 'folder',
  key: { workspaceId: 1, folderType: 1, date: -1, _id: -1, mailboxId: 1 },
};

/** The step to a version that does not exist: it renders and folds again, changes an index and drops one. */
export const steps: readonly MigrationStep[] = [
  ...ours,
  {
    title: 'renders and folds again, changes an index and drops one',
    parts: [rebuildListProjections, foldAgain, makeIndexes('emails'), dropIndexes('emails', OLD_INDEX.name)],
  },
];

export const declared: Readonly<Record<CollectionName, readonly IndexSpec[]>> = {
  ...indexes,
  emails: indexes.emails.map((spec) => (spec.name === CHANGED_INDEX.name ? CHANGED_INDEX : spec)),
};
