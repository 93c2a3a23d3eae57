import { bounds } from '@postroom/contract/bounds';
import {
  FILTER_FIELDS,
  filterOperators,
  type FilterField,
  type FilterOperator,
} from '@postroom/contract/filter-fields';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import type { JsonSchema } from './json-schema.ts';

const { valueLength, idLength } = bounds.filterTree;
const text = (description: string) => ({ type: 'string', maxLength: valueLength, description });

const NOTHING = { const: '', description: 'The operator says it all.' };
const DAYS = {
  type: 'string',
  pattern: '^[0-9]+$',
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
const ofField: Partial<Record<FilterField, JsonSchema>> = {
  sender_domain: text('A domain; a leading @ is dropped.'),
  ai_label: LABEL_ID,
  label: LABEL_ID,
  date: text('An ISO 8601 date or date-time.'),
  folder: { enum: FOLDER_TYPES },
};
const ANY_TEXT = text('Text, ignoring case.');

/**
 * The grammar as the API description shows it: the groups, and each kind of condition with what it may hold. As it is
 * sent, and as it was saved, perhaps before there were bounds.
 */
export const filterNodeSchemas = {
  FilterNode: schemaOf('FilterNode', { type: 'string', maxLength: idLength }, (value) => value),
  SavedFilterNode: schemaOf('SavedFilterNode', { type: 'string' }, ({ maxLength: _bound, ...value }) => value),
};

function schemaOf(name: string, id: JsonSchema, valueOf: (value: JsonSchema) => JsonSchema): JsonSchema {
  const nodes = { type: 'array', items: { $ref: `#/components/schemas/${name}` } };
  return {
    oneOf: [
      { type: 'object', required: ['id', '_and'], properties: { id, _and: nodes } },
      { type: 'object', required: ['id', '_or'], properties: { id, _or: nodes } },
      ...kindsOfCondition().map(({ labels, types, value }) => ({
        type: 'object',
        required: ['id', 'label', 'type', 'value'],
        properties: { id, label: { enum: labels }, type: { enum: types }, value: valueOf(value) },
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
