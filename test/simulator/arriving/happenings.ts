import type { Mail } from '../peers/mail-source.ts';
import type { Chance } from '../world/chance.ts';
import { LABELS } from './setting.ts';

const FATES = ['is read', 'is trashed', 'is given a label', 'loses a label', 'is removed'] as const;
type Fate = (typeof FATES)[number];

/** People do this with an email while rules work on it. */
export interface Happening {
  mail: Mail;
  fate: Fate;
  /** The label that is given or taken off. */
  label: (typeof LABELS)[number];
  /** Behind the answer that the mail is stored. */
  afterMs: number;
  /** Set when people were answered. */
  isDone: boolean;
  /** The email had the label, and its removal was answered. */
  isTakenOff: boolean;
}

const SHARE = 0.6;
const SHARE_OF_TWO = 0.3;
const SHARE_AT_ONCE = 0.7;
/** The model usually answers within this. */
const SOON_MS = 3_500;
const LATER_MS = 18_000;

/** At most two for each mail, of which the second is another one. A mail that is to be removed gets a UID for it. */
export function drawHappenings(chance: Chance, mails: readonly Mail[]): Happening[] {
  return mails.flatMap((mail, n) => {
    if (!chance.happens(SHARE)) return [];
    const first = chance.pick(FATES);
    const second = chance.pick(FATES);
    const fates = second !== first && chance.happens(SHARE_OF_TWO) ? [first, second] : [first];
    if (fates.includes('is removed')) mail.uid = n + 1;
    return fates.map((fate) => {
      const label = fate === 'loses a label' && mail.subject.startsWith('invoice') ? 'Invoices' : chance.pick(LABELS);
      const afterMs = chance.below(chance.happens(SHARE_AT_ONCE) ? SOON_MS : LATER_MS);
      return { mail, fate, label, afterMs, isDone: false, isTakenOff: false };
    });
  });
}

/** The things that people have done with one email. */
export function fatesOf(happenings: readonly Happening[], subject: string): Happening[] {
  return happenings.filter(({ mail, isDone }) => isDone && mail.subject === subject);
}

export const has = (own: readonly Happening[], fate: Fate): boolean => own.some((happening) => happening.fate === fate);
