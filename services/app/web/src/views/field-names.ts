import type { FilterField, FilterOperator } from '@postroom/contract/filter-fields';

export const FIELD_NAMES: Readonly<Record<FilterField, string>> = {
  from: 'From',
  to: 'To',
  cc: 'Cc',
  subject: 'Subject',
  body: 'Body',
  any_text: 'Any text',
  sender_domain: 'Domain of the sender',
  ai_label: 'AI label',
  label: 'Label',
  read_status: 'Read',
  star_status: 'Starred',
  has_attachments: 'Has attachments',
  waiting_for_reply: 'Waits for a reply',
  is_auto_reply: 'Sent as automatic reply',
  is_auto_forward: 'Sent as forward',
  date: 'Date',
  folder: 'Folder',
};

const OPERATOR_NAMES: Readonly<Record<FilterOperator, string>> = {
  contains: 'contains',
  not_contains: 'does not contain',
  equals: 'is',
  not_equals: 'is not',
  starts_with: 'starts with',
  ends_with: 'ends with',
  is_empty: 'is none',
  is_not_empty: 'is any',
  is_true: 'yes',
  is_false: 'no',
  before: 'is before',
  after: 'is after',
  on: 'is on',
  in_last_days: 'in the last days',
};

/** A state is a word of its own, with and without it. */
const STATES: Partial<Record<FilterField, readonly [yes: string, no: string]>> = {
  read_status: ['Read', 'Unread'],
  star_status: ['Starred', 'Not starred'],
  has_attachments: ['Has attachments', 'Has no attachments'],
  waiting_for_reply: ['Waits for a reply', 'Waits for no reply'],
  is_auto_reply: ['Sent as automatic reply', 'Not sent as automatic reply'],
  is_auto_forward: ['Sent as forward', 'Not sent as forward'],
};

/** A field and an operator that need no value, as one says them. */
export function stateWords(field: FilterField, operator: FilterOperator): string {
  const [yes, no] = STATES[field] ?? [];
  const state = operator === 'is_true' ? yes : operator === 'is_false' ? no : undefined;
  return state ?? `${FIELD_NAMES[field]} ${operatorName(field, operator)}`;
}

/** A label stands on an email or does not: "contains" is for texts. */
const LABEL_OPERATOR_NAMES: Partial<Record<FilterOperator, string>> = { contains: 'is', not_contains: 'is not' };

export function operatorName(field: FilterField, operator: FilterOperator): string {
  const isLabel = field === 'label' || field === 'ai_label';
  return (isLabel ? LABEL_OPERATOR_NAMES[operator] : undefined) ?? OPERATOR_NAMES[operator];
}
