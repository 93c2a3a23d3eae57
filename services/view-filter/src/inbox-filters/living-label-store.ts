import type { Reads } from '@postroom/mail-store/access';
import { livingLabels } from '@postroom/mail-store/label-ref';
import type { TimeBudget } from '@postroom/mail-store/time-limit';

export type LivingLabelStore = ReturnType<typeof createLivingLabelStore>;

/** Labels belong to label-rule. This service only reads them. */
export function createLivingLabelStore(collections: Reads<'labels'>) {
  return {
    living: (workspaceId: string, labelIds: string[], budget: TimeBudget) =>
      livingLabels(collections, workspaceId, labelIds, budget),
  };
}
