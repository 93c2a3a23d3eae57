import { bounds } from '@postroom/contract/bounds';
import {
  FILTER_FIELDS,
  filterOperators,
  type FilterField,
  type FilterOperator,
} from '@postroom/contract/filter-fields';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { patterns } from '../resources/text.ts';
import type { JsonSchema } from './json-schema.ts';

const { valueLength, idLength } = bounds.filterTree;
const text = (description: string) => ({
  type: 'string',
  maxLength: valueLength,
  pattern: patterns.text,
  description,
});

const NOTHING = { const: '', description: 'The operator says it all.' };
const DAYS = {
  type: 'string',
  pattern: String.raw`^0*([1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$`,
  maxLength: String(bounds.filterDays.max).length,
  description: `${bounds.filterDays.min} to ${bounds.filterDays.max}.`,
};
const ofOperator: Partial<Record<FilterOperator, JsonSchema>> = {
  is_true: NOTHING,
  is_false: NOTHING,
  is_empty: NOTHING,
  is_not_empty: NOTHING,
  in_last_days: DAYS,
};
const LABEL_ID = text('The id of a label.');
const MONTH_AND_DAY = String.raw`(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])`;
const HOURS = String.raw`([01]\d|2[0-3])`;
const SIXTY = String.raw`[0-5]\d`;
const TIME = String.raw`${HOURS}:${SIXTY}(:${SIXTY}(\.\d{1,9})?)?`;
const DATE = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
    // Without a zone it is in UTC.
    { type: 'string', pattern: String.raw`^\d{4}-${MONTH_AND_DAY}T${TIME}(Z|[+-]${HOURS}:${SIXTY})?$` },
  ],
  description: 'An ISO 8601 date or date-time.',
};
const ofField: Partial<Record<FilterField, JsonSchema>> = {
  sender_domain: text('A domain; a leading @ is dropped.'),
  ai_label: LABEL_ID,
  label: LABEL_ID,
  date: DATE,
  folder: { enum: FOLDER_TYPES },
};
const ANY_TEXT = text('Text, ignoring case.');

/**
 * The grammar as the API description shows it: the groups, and each kind of condition with what it may hold. As it is
 * sent, and as it was saved, perhaps before there were bounds.
 */
export const filterNodeSchemas = {
  FilterNode: schemaOf('FilterNode', {
    id: { type: 'string', maxLength: idLength, pattern: patterns.text },
    valueOf: (value) => value,
    rest: { additionalProperties: false },
  }),
  SavedFilterNode: schemaOf('SavedFilterNode', {
    id: { type: 'string' },
    valueOf: ({ maxLength: _most, pattern: _form, anyOf: _forms, ...value }) => ({ type: 'string', ...value }),
    rest: {},
  }),
};

interface Strictness {
  id: JsonSchema;
  valueOf(value: JsonSchema): JsonSchema;
  rest: JsonSchema;
}

function schemaOf(name: string, { id, valueOf, rest }: Strictness): JsonSchema {
  const nodes = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
  return {
    oneOf: [
      { type: 'object', required: ['id', '_and'], properties: { id, _and: nodes }, ...rest },
      { type: 'object', required: ['id', '_or'], properties: { id, _or: nodes }, ...rest },
      ...kindsOfCondition().map(({ labels, types, value }) => ({
        type: 'object',
        required: ['id', 'label', 'type', 'value'],
        properties: { id, label: { enum: labels }, type: { enum: types }, value: valueOf(value) },
        ...rest,
      })),
    ],
  };
}

interface Kind {
  labels: FilterField[];
  types: FilterOperator[];
  value: JsonSchema;
}

/** Fields that take the same operators with the same value stand together. */
function kindsOfCondition(): Kind[] {
  const kinds = new Map<string, Kind>();
  for (const field of FILTER_FIELDS) {
    for (const { types, value } of valuesOf(field)) {
      const name = JSON.stringify([types, value]);
      const kind = kinds.get(name) ?? { labels: [], types, value };
      kind.labels.push(field);
      kinds.set(name, kind);
    }
  }
  return [...kinds.values()];
}

function valuesOf(field: FilterField): Omit<Kind, 'labels'>[] {
  const byValue = new Map<JsonSchema, FilterOperator[]>();
  for (const operator of filterOperators[field]) {
    const value = ofOperator[operator] ?? ofField[field] ?? ANY_TEXT;
    byValue.set(value, [...(byValue.get(value) ?? []), operator]);
  }
  return [...byValue].map(([value, types]) => ({ types, value }));
}
