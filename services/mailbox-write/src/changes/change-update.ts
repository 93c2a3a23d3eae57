import type { EmailDocument } from '@postroom/mail-store/documents/email';
import { outboxUpdate } from '@postroom/mail-store/outbox';
import type { mongo } from 'mongoose';
import type { EmailChange } from './email-change.ts';

/**
 * A bulk call reads its own mark back right after writing it, so this many other bulk calls would have to change
 * the same email in between for the mark to be pushed out.
 */
const MARKS_KEPT = 64;

/** More than a workspace has rules; a label that people and backfills change in turns adds one each time. */
const EFFECTS_KEPT = 200;

/**
 * The change as one update of one document, marked with the operation that makes it where there is one. Pending events
 * are kept by name, the latest of each, so that an email that changes often does not grow before they are published.
 */
export function updateOf(change: EmailChange, operationId?: string): mongo.UpdateFilter<EmailDocument> {
  const {
    set,
    unset = [],
    confirmed = {},
    labelsAdded = [],
    labelRemoved,
    effects = [],
    undone,
    events,
    provider,
    at,
  } = change;
  const pending = outboxUpdate(events, at);
  const told = Object.entries(provider).map(([name, value]) => [`providerChanges.${name}`, value] as const);
  const allSet = { ...set, ...pending.$set, ...Object.fromEntries(told) };
  const min = { ...pending.$min, ...(told.length > 0 && { providerChangesSince: at }) };
  const max = Object.entries(confirmed).map(([name, time]) => [`confirmed.${name}`, time] as const);
  const push = {
    ...(labelsAdded.length > 0 && { labelIds: { $each: labelsAdded } }),
    ...(effects.length > 0 && {
      labelEffects: { $each: effects, $slice: -EFFECTS_KEPT },
      ruleLabelIds: { $each: effects.map(({ labelId }) => labelId) },
    }),
    ...(undone && { undoneEffects: { $each: [undone], $slice: -EFFECTS_KEPT } }),
    ...(operationId !== undefined && { recentChanges: { $each: [operationId], $slice: -MARKS_KEPT } }),
  };
  return {
    // Servers differ over empty operators, so those with nothing to do are left out.
    ...(Object.keys(allSet).length > 0 && { $set: allSet }),
    ...(unset.length > 0 && { $unset: Object.fromEntries(unset.map((name) => [name, '' as const])) }),
    ...(max.length > 0 && { $max: Object.fromEntries(max) }),
    ...(Object.keys(min).length > 0 && { $min: min }),
    ...(Object.keys(push).length > 0 && { $push: push }),
    ...(labelRemoved !== undefined && { $pull: { labelIds: labelRemoved, ruleLabelIds: labelRemoved } }),
  };
}
