import { bounds } from '@postroom/contract/bounds';
import {
  FILTER_FIELDS,
  filterOperators,
  type FilterField,
  type FilterOperator,
} from '@postroom/contract/filter-fields';
import { FOLDER_TYPES } from '@postroom/contract/lists';
import { patterns } from '@postroom/resources/text';
import type { JsonSchema } from './json-schema.ts';

const { valueLength, idLength } = bounds.filterTree;
const text = (description: string, pattern = patterns.text) => ({
  type: 'string',
  maxLength: valueLength,
  pattern,
  description,
});

/** The value schema of a condition, and its name. */
interface Form {
  name: string;
  value: JsonSchema;
}

const NOTHING = { type: 'string', const: '', description: 'The operator says it all.' };
const FLAG: Form = { name: 'FlagCondition', value: NOTHING };
const PRESENCE: Form = { name: 'LabelPresenceCondition', value: NOTHING };
const DAYS = {
  type: 'string',
  pattern: String.raw`^0*([1-9]\d{0,2}|[12]\d{3}|3[0-5]\d{2}|36[0-4]\d|3650)$`,
  maxLength: String(bounds.filterDays.max).length,
  description: `${bounds.filterDays.min} to ${bounds.filterDays.max}.`,
};
const ofOperator: Partial<Record<FilterOperator, Form>> = {
  is_true: FLAG,
  is_false: FLAG,
  is_empty: PRESENCE,
  is_not_empty: PRESENCE,
  in_last_days: { name: 'AgeCondition', value: DAYS },
};
const LABEL: Form = { name: 'LabelCondition', value: { ...text('The id of a label.'), minLength: 1 } };
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
const ofField: Partial<Record<FilterField, Form>> = {
  sender_domain: { name: 'DomainCondition', value: text('A domain; a leading @ is dropped.', patterns.domain) },
  ai_label: LABEL,
  label: LABEL,
  date: { name: 'DateCondition', value: DATE },
  folder: { name: 'FolderCondition', value: { type: 'string', enum: FOLDER_TYPES } },
};
const ANY_TEXT: Form = { name: 'TextCondition', value: text('Text, ignoring case.') };

const referenceTo = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** The grammar as the API description shows it: each form of a node under a name of its own, so that tools can make a type of it. */
export function filterNodeSchemas(): Record<string, JsonSchema> {
  const forms = { ...groups(), ...conditions() };
  return {
    ...forms,
    FilterNode: { oneOf: Object.keys(forms).map(referenceTo) },
    EmptyFilter: { type: 'object', maxProperties: 0, description: 'No filter.' },
  };
}

const ID = { type: 'string', maxLength: idLength, pattern: patterns.text };
const node = (properties: Record<string, JsonSchema>) => ({
  type: 'object',
  required: ['id', ...Object.keys(properties)],
  properties: { id: ID, ...properties },
  additionalProperties: false,
});

function groups(): Record<string, JsonSchema> {
  const nodes = { type: 'array', items: referenceTo('FilterNode') };
  return { AndGroup: node({ _and: nodes }), OrGroup: node({ _or: nodes }) };
}

/** Fields with the same operators and values are grouped. */
function conditions(): Record<string, JsonSchema> {
  const kinds = new Map<string, { labels: Set<FilterField>; types: Set<FilterOperator>; value: JsonSchema }>();
  for (const field of FILTER_FIELDS)
    for (const operator of filterOperators[field]) {
      const { name, value } = ofOperator[operator] ?? ofField[field] ?? ANY_TEXT;
      const kind = kinds.get(name) ?? { labels: new Set(), types: new Set(), value };
      kinds.set(name, { ...kind, labels: kind.labels.add(field), types: kind.types.add(operator) });
    }
  const named = [...kinds].map(([name, { labels, types, value }]) => [
    name,
    node({ label: { type: 'string', enum: [...labels] }, type: { type: 'string', enum: [...types] }, value }),
  ]);
  return Object.fromEntries(named) as Record<string, JsonSchema>;
}
