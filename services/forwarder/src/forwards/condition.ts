import { isAddress } from '@postroom/contract/address';
import type { AutoForwardField } from '@postroom/contract/lists';
import type { AutoForwardRuleDocument } from '@postroom/mail-store/documents/label';
import { foldCase } from '@postroom/mail-store/fold';

/** The fields of an email that a rule compares. `labels` are the AI labels of its classification. */
export interface Candidate {
  sender: string;
  subject: string;
  labels: readonly string[];
}

const isSame = (text: string, value: string) => foldCase(text) === foldCase(value);
const isIn = (text: string, value: string) => foldCase(text).includes(foldCase(value));

/** A sender that is no plain address may mean another mailbox to a mail server. */
const isKnown = (sender: string) => isAddress(sender);

const matches: Record<AutoForwardField, (email: Candidate, value: string) => boolean> = {
  label: ({ labels }, value) => labels.some((label) => isSame(label, value)),
  sender_contains: ({ sender }, value) => isKnown(sender) && isIn(sender, value),
  sender_equals: ({ sender }, value) => isKnown(sender) && isSame(sender, value),
  subject_contains: ({ subject }, value) => isIn(subject, value),
  subject_equals: ({ subject }, value) => isSame(subject, value),
};

type Condition = Pick<AutoForwardRuleDocument, 'conditionField' | 'conditionValue'>;

export function appliesTo({ conditionField, conditionValue }: Condition, email: Candidate): boolean {
  return matches[conditionField](email, conditionValue);
}

/** The condition for people who ask why an email was forwarded: `subject contains “invoice”`. */
export function wordsOf({ conditionField, conditionValue }: Condition): string {
  return `${conditionField.replace('_', ' ')} “${conditionValue}”`;
}
