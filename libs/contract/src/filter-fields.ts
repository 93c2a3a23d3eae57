const TEXT = ['contains', 'not_contains', 'equals', 'not_equals', 'starts_with', 'ends_with'] as const;
const EQUALITY = ['equals', 'not_equals'] as const;
const LABEL = ['contains', 'not_contains', 'is_empty', 'is_not_empty'] as const;
const FLAG = ['is_true', 'is_false'] as const;
const DATE = ['before', 'after', 'on', 'in_last_days'] as const;

/** The fields of the filter tree's conditions, each with its operators: a new field is a line here and its query. */
export const filterOperators = {
  from: TEXT,
  to: TEXT,
  cc: TEXT,
  subject: TEXT,
  body: TEXT,
  any_text: TEXT,
  sender_domain: EQUALITY,
  ai_label: LABEL,
  label: LABEL,
  read_status: FLAG,
  star_status: FLAG,
  has_attachments: FLAG,
  waiting_for_reply: FLAG,
  is_auto_reply: FLAG,
  is_auto_forward: FLAG,
  date: DATE,
  folder: EQUALITY,
} as const;

export type FilterField = keyof typeof filterOperators;
export type FilterOperator<Field extends FilterField = FilterField> = (typeof filterOperators)[Field][number];

export const FILTER_FIELDS = Object.keys(filterOperators) as FilterField[];

export function isFilterField(text: unknown): text is FilterField {
  return typeof text === 'string' && Object.hasOwn(filterOperators, text);
}
