import type { LabelEffectPart, UndonePart } from './documents/effect.ts';
import type { EmailDocument } from './documents/email.ts';
import type { SendState } from './documents/send.ts';
import { EFFECT_KEPT_MS } from './kept-for.ts';

/** The states in which the draft of a rule is as the rule left it. */
export const UNDOABLE_DRAFTS = [null, 'pending', 'failed'] as const;

type Labelled = Pick<EmailDocument, 'labelIds' | 'labelEffects' | 'ruleLabelIds'>;
type EffectDraft = Pick<EmailDocument, 'isDraft' | 'folderType' | 'scheduledStatus'>;

/** The sends that rules make of emails. */
export const SENDS_OF_RULES = ['reply', 'forward'] as const;

const LEAVES = 'The message is leaving now, and cannot be undone.';
const SENT_STAYS = 'A message that was sent cannot be undone.';

/** Effects are listed, and can be undone, for so long. */
export function recentEffects({ labelEffects = [] }: Labelled, now: Date): LabelEffectPart[] {
  const since = now.getTime() - EFFECT_KEPT_MS;
  return labelEffects.filter(({ at }) => at.getTime() >= since);
}

export function undoneOf(
  { undoneEffects = [] }: Pick<EmailDocument, 'undoneEffects'>,
  id: string,
): UndonePart | undefined {
  return undoneEffects.find(({ effectId }) => effectId === id);
}

/** Why a label stays as it is when its effect is to be undone; null where it can be taken back. */
export function whyLabelStays(email: Labelled, { id, labelId }: LabelEffectPart): string | null {
  const { labelIds, labelEffects = [], ruleLabelIds = [] } = email;
  const newest = labelEffects.findLast((effect) => effect.labelId === labelId);
  if (!labelIds.includes(labelId) || newest?.id !== id)
    return 'A person removed the label since, so there is nothing to undo.';
  return ruleLabelIds.includes(labelId) ? null : 'A person removed the label and applied it again since, so it stays.';
}

/** Why the draft of a rule stays as it is; null where it can be thrown away. */
export function whyDraftStays({ isDraft, folderType, scheduledStatus }: EffectDraft): string | null {
  if (!isDraft) return SENT_STAYS;
  if (folderType !== 'DRAFTS') return 'A person threw the draft away since, so there is nothing to undo.';
  if (scheduledStatus === 'canceled') return 'The reply was canceled since, and its draft is left to people.';
  if (scheduledStatus === 'sending') return LEAVES;
  return (UNDOABLE_DRAFTS as readonly unknown[]).includes(scheduledStatus) ? null : SENT_STAYS;
}

/** Why a forward cannot be stopped; null where it waits. */
export function whyForwardStays(state: SendState): string | null {
  if (state === 'scheduled') return null;
  if (state === 'canceled' || state === 'failed') return 'It did not leave, so there is nothing to undo.';
  return state === 'accepted' || state === 'recorded' ? SENT_STAYS : LEAVES;
}
