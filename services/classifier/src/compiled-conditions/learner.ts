import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';

export type Learned = Pick<ConditionPatternDocument, 'applied' | 'notApplied' | 'confidence' | 'unchecked'>;

/** A pattern answers after so many different emails, subjects or senders with the same verdict. */
export const LEARNED_FROM = 6;
/** Of the emails that a pattern could answer, the model is asked about each of this number. */
export const CHECKED_EVERY = 20;

type PatternState = 'learning' | 'compiled' | 'dropped';

/** A disagreement is final: both lists only grow. */
export function stateOf({ applied, notApplied }: Pick<Learned, 'applied' | 'notApplied'>): PatternState {
  if (applied.length > 0 && notApplied.length > 0) return 'dropped';
  return Math.max(applied.length, notApplied.length) >= LEARNED_FROM ? 'compiled' : 'learning';
}

/** The pattern that answers: the most specific one, unless the verdicts of a more specific one differ. */
export function answering<P extends Learned>(patterns: readonly (P | undefined)[]): P | undefined {
  const decided = patterns.find((pattern) => pattern && stateOf(pattern) !== 'learning');
  return decided && stateOf(decided) === 'compiled' ? decided : undefined;
}

export const applies = ({ applied }: Pick<Learned, 'applied'>): boolean => applied.length > 0;

/** `unchecked` counts this email too. */
export const isCheckDue = ({ unchecked }: Pick<Learned, 'unchecked'>): boolean => unchecked >= CHECKED_EVERY;

/** The list that a verdict grows. It stops growing where more would show nothing. */
export function growth(
  pattern: Learned | undefined,
  verdict: { applies: boolean },
): { list: 'applied' | 'notApplied'; grows: boolean } | undefined {
  if (pattern && stateOf(pattern) === 'dropped') return undefined;
  const list = verdict.applies ? 'applied' : 'notApplied';
  return { list, grows: (pattern?.[list].length ?? 0) < LEARNED_FROM };
}
