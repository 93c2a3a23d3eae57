import type { LabelRef } from '@postroom/proto/postroom/v1/resources';
import type { Reads } from './access.ts';
import type { LabelDocument } from './documents/label.ts';
import { timeLimit, type TimeBudget } from './time-limit.ts';

export type LabelRefDocument = Pick<LabelDocument, '_id' | 'name' | 'color' | 'isAiLabel'>;

/** The projection that goes with it. */
export const LABEL_REF = { _id: 1, name: 1, color: 1, isAiLabel: 1 } as const;

/** The live labels among the ids. Every page needs them, so the query uses the driver without mongoose. */
export function livingLabels(
  { labels }: Reads<'labels'>,
  workspaceId: string,
  labelIds: readonly string[],
  budget: TimeBudget,
): Promise<LabelRefDocument[]> {
  if (labelIds.length === 0) return Promise.resolve([]);
  return labels.collection
    .find(
      { workspaceId, _id: { $in: labelIds as never[] }, deletedAt: null },
      { projection: LABEL_REF, ...timeLimit(budget) },
    )
    .toArray() as unknown as Promise<LabelRefDocument[]>;
}

export function toMessageLabelRef({ _id, name, color, isAiLabel }: LabelRefDocument): LabelRef {
  return { id: _id, name, color, isAiLabel };
}
