import type { Collections } from '@postroom/mail-store/collections';
import { livingLabels } from '@postroom/mail-store/label-ref';
import type { TimeBudget } from '@postroom/mail-store/time-limit';

export type LabelStore = ReturnType<typeof createLabelStore>;

/** Labels belong to another service; here they are only looked up. */
export function createLabelStore(collections: Collections) {
  return {
    living: (workspaceId: string, labelIds: string[], budget: TimeBudget) =>
      livingLabels(collections, workspaceId, labelIds, budget),
  };
}
