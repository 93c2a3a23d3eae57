const DAY_MS = 86_400_000;

/** From when a backfill was last heard of. */
export const BACKFILL_KEPT_MS = 90 * DAY_MS;
/** It explains labels to whoever asks why; nothing else reads it once the email is classified. */
export const CLASSIFICATION_KEPT_MS = 90 * DAY_MS;
/** From its last verdict or answer. */
export const PATTERN_KEPT_MS = 90 * DAY_MS;
/** So long an effect is listed and can be undone. */
export const EFFECT_KEPT_MS = 90 * DAY_MS;
/** The contract keeps a change of the feed so long. */
export const CHANGE_KEPT_MS = 7 * DAY_MS;
/** The deaths that an attempt is counted for come soon one after the other. */
export const ATTEMPTS_KEPT_MS = DAY_MS;
/** Calls of keys and of the model, and the audit log. */
export const USAGE_KEPT_MS = 400 * DAY_MS;
/** From the last attempt. An operator has so long to replay the event. */
export const DEAD_LETTER_KEPT_MS = 30 * DAY_MS;
export const DELIVERY_KEPT_MS = 30 * DAY_MS;
/** Of some mail nobody has another copy: long enough to be missed, looked for, and taken in by a version that can. */
export const QUARANTINED_KEPT_MS = 180 * DAY_MS;

/** Later than its message, which is listed only while it is there whole. */
export function quarantinedPieceExpiry(ofMessage: Date): Date {
  return new Date(ofMessage.getTime() + DAY_MS);
}

/** MongoDB deletes expired documents late, so queries leave them out. A document without a time never expires. */
export function notExpired(now: Date) {
  return { expiresAt: { $not: { $lte: now } } };
}
