import type { ClassificationDocument } from '@postroom/mail-store/documents/classification';
import type { LabelEffectPart, UndonePart } from '@postroom/mail-store/documents/effect';
import {
  recentEffects,
  undoneOf,
  whyDraftStays,
  whyForwardStays,
  whyLabelStays,
} from '@postroom/mail-store/effect-state';
import { toMessageLabelRef, type LabelRefDocument } from '@postroom/mail-store/label-ref';
import type { Effect } from '@postroom/proto/postroom/v1/mailbox_read';
import type { ExplainedEmail, PreparedDraft, SendOfRule } from './explanation-store.ts';

interface Surroundings {
  classification: ClassificationDocument | null;
  draft: PreparedDraft | null;
  sends: readonly SendOfRule[];
  /** Those that still exist. */
  labels: readonly LabelRefDocument[];
  hidingLabelIds: readonly string[];
  now: Date;
}

/** The effects of rules on an email, the oldest first, each with its cause and with the reason why it stays. */
export function effectsOf(email: ExplainedEmail, about: Surroundings): Effect[] {
  const labels = recentEffects(email, about.now).map((effect) => ofLabel(effect, email, about));
  const forwards = about.sends.filter(({ kind }) => kind === 'forward').flatMap(ofForward);
  const drafts = about.draft ? ofDraft(about.draft, email, about) : [];
  return [...labels, ...drafts, ...forwards].toSorted((one, other) => Date.parse(one.at) - Date.parse(other.at));
}

function ofLabel(effect: LabelEffectPart, email: ExplainedEmail, { labels, hidingLabelIds }: Surroundings): Effect {
  const { id, labelId, at } = effect;
  const label = labels.find(({ _id }) => _id === labelId);
  return {
    id,
    kind: 'label',
    label: label && toMessageLabelRef(label),
    hides: hidingLabelIds.includes(labelId),
    ...toMessageCause(effect),
    at: at.toISOString(),
    ...toMessageEnd(undoneOf(email, id), whyLabelStays(email, effect)),
  };
}

/** A rule gives the reason for its draft with its label. */
function ofDraft(draft: PreparedDraft, email: ExplainedEmail, { sends, classification }: Surroundings): Effect[] {
  const reply = sends.find(({ kind }) => kind === 'reply');
  const ruleId = draft.draft?.ruleId ?? reply?.ruleId;
  if (ruleId === null || ruleId === undefined) return [];
  const said = classification?.verdicts.find((verdict) => verdict.ruleId === ruleId);
  const judged = said && { ...said, model: classification?.model ?? '', isBackfill: false };
  const cause = email.labelEffects?.find((effect) => effect.ruleId === ruleId) ?? judged;
  const at = draft.draft?.createdAt ?? reply?.createdAt ?? draft.date;
  return [
    {
      id: draft._id,
      kind: reply ? 'reply' : 'draft',
      hides: false,
      ...toMessageCause(cause ?? { ruleId, model: '', reason: '', isBackfill: false }),
      at: at.toISOString(),
      ...toMessageEnd(undoneOf(draft, draft._id), whyDraftStays(draft)),
    },
  ];
}

/** One that did not leave by itself had no effect. */
function ofForward({ _id, state, ruleId, ruleUpdatedAt, reason = '', undone, to, createdAt }: SendOfRule): Effect[] {
  const isWithout = state === 'canceled' || state === 'failed';
  if (ruleId === null || (isWithout && !undone)) return [];
  return [
    {
      id: _id,
      kind: 'forward',
      hides: false,
      ...toMessageCause({ ruleId, ruleUpdatedAt, model: '', reason, isBackfill: false }),
      forwardTo: to[0],
      at: createdAt.toISOString(),
      ...toMessageEnd(undone, whyForwardStays(state)),
    },
  ];
}

interface Cause {
  ruleId: string;
  ruleUpdatedAt?: Date | undefined;
  model: string;
  confidence?: number;
  reason: string;
  isBackfill: boolean;
}

function toMessageCause({ ruleId, ruleUpdatedAt, model, confidence, reason, isBackfill }: Cause) {
  return { ruleId, ruleUpdatedAt: ruleUpdatedAt?.toISOString(), model, confidence, reason, isBackfill };
}

function toMessageEnd(undone: UndonePart | null | undefined, stays: string | null) {
  if (undone) return { undoneAt: undone.at.toISOString(), undoneBy: undone.by };
  return { staysBecause: stays ?? undefined };
}
