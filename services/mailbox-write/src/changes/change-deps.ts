import type { Deps } from '../deps.ts';
import type { Stores } from '../stores.ts';
import type { ChangeStore } from './change-store.ts';
import type { EmailChanges } from './email-change.ts';
import type { LabelChanges } from './label-changes.ts';

/** The dependencies of every handler of a change. */
export interface ChangeDeps
  extends Pick<Stores, 'bulk' | 'carriers' | 'classifications' | 'surroundings'>, Pick<Deps, 'relay'> {
  context: Pick<Deps['context'], 'clock' | 'ids'>;
  emails: ChangeStore;
  changes: EmailChanges & LabelChanges;
}
