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

export const OPERATOR_NAMES: Readonly<Record<FilterOperator, string>> = {
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

/** A label stands on an email or does not: "contains" is for texts. */
const LABEL_OPERATOR_NAMES: Partial<Record<FilterOperator, string>> = { contains: 'is', not_contains: 'is not' };

export function operatorName(field: FilterField, operator: FilterOperator): string {
  const isLabel = field === 'label' || field === 'ai_label';
  return (isLabel ? LABEL_OPERATOR_NAMES[operator] : undefined) ?? OPERATOR_NAMES[operator];
}
