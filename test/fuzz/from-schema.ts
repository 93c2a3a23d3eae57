import fc, { type Arbitrary } from 'fast-check';
import { kindOf, ORDINARY, reference } from './values.ts';

export interface Schema {
  $ref?: string;
  type?: string;
  enum?: unknown[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  format?: string;
  pattern?: string;
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  contentSchema?: Schema;
}

/** The position of a value in a request, which selects its generator. */
export interface SchemaContext {
  /** Path of the operation, as in the API description. */
  path: string;
  name: string;
  resolve(reference: string): Schema;
  /** Number of references that may still be followed. It bounds the depth of recursive schemas. */
  depth: number;
}

const FORMATS: Record<string, Arbitrary<string>> = {
  email: fc.constantFrom('a@b.example', 'Ann.Lee@Example.com', 'x+y@z.example', '\u00fc@b\u00fccher.example'),
  date: fc.constantFrom('2026-01-31', '2024-02-29'),
  'date-time': fc.constantFrom('2026-01-31T10:00:00Z', '2026-01-31T10:00:00.123+02:00'),
};

/** Values that a schema takes; references where something is named. */
export function valid(schema: Schema, context: SchemaContext): Arbitrary<unknown> {
  const { $ref, anyOf, oneOf, contentSchema } = schema;
  if ($ref) return valid(context.resolve($ref), { ...context, depth: context.depth - 1 });
  if (contentSchema) return valid(contentSchema, context).map((value) => JSON.stringify(value));
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (schema.properties) return objectOf(schema, context);
  const forms = anyOf ?? oneOf;
  if (forms) return fc.oneof(...within(forms, context).map((form) => valid(form, context)));
  return plain(schema, context);
}

/** Deep down only what does not go deeper. */
function within(forms: Schema[], { depth, resolve }: SchemaContext): Schema[] {
  const isFlat = (form: Schema): boolean => {
    const { oneOf, properties } = form.$ref ? resolve(form.$ref) : form;
    return !oneOf && !properties?._and && !properties?._or;
  };
  const flat = forms.filter(isFlat);
  return depth > 0 || flat.length === 0 ? forms : flat;
}

function plain(schema: Schema, context: SchemaContext): Arbitrary<unknown> {
  const { type, items, minItems = 0, maxItems = 5, minimum = -100, maximum = 10_000 } = schema;
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum });
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'array')
    return fc.array(valid(items ?? {}, context), { minLength: minItems, maxLength: Math.min(maxItems, 8) });
  if (type === 'object') return fc.constant({});
  return textOf(schema, context);
}

function textOf(
  { format, pattern, minLength = 0, maxLength = 60 }: Schema,
  { name, path }: SchemaContext,
): Arbitrary<unknown> {
  const kind = kindOf(name, path);
  if (kind) return reference(kind);
  // The value of an inbox filter may be a label id.
  if (name === 'value' && path.startsWith('/filters'))
    return fc.oneof(reference('label'), fc.constantFrom(...ORDINARY), ...Object.values(FORMATS));
  if (format && FORMATS[format]) return FORMATS[format];
  const fits = (text: string) => [...text].length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text));
  // A form that no ordinary text has is made from its pattern.
  if (pattern && !ORDINARY.some(fits)) return fc.stringMatching(new RegExp(pattern));
  const any = fc.string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) });
  return fc.oneof({ arbitrary: fc.constantFrom(...ORDINARY.filter(fits)), weight: 3 }, any.filter(fits));
}

function objectOf(schema: Schema, context: SchemaContext): Arbitrary<unknown> {
  const { properties = {}, required = [], minProperties = 0 } = schema;
  const fields = Object.entries(properties).map(([name, inner]) => [name, valid(inner, { ...context, name })] as const);
  return fc
    .record(Object.fromEntries(fields), { requiredKeys: required })
    .filter((value) => Object.keys(value).length >= minProperties);
}
