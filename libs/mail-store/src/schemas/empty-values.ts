import type { Query, Schema } from 'mongoose';

type Stored = Record<string, unknown>;
type AnySchema = Schema<unknown, unknown>;

interface Field {
  name: string;
  /** Undefined where a document may well be without it. */
  empty: (() => unknown) | undefined;
  inner: Field[] | undefined;
}

/** The fields of a mongoose path that its types leave out. */
interface Path {
  instance: string;
  isRequired?: boolean;
  defaultValue?: unknown;
  options: object;
  schema?: AnySchema;
}

/**
 * A document that was stored before a field was there has the field's empty value when it is read: services of two
 * versions write side by side, and neither waits for the documents of the other to be rewritten. Documents that are
 * read as plain objects pass by mongoose's own defaults.
 */
export function fillEmpty(schema: AnySchema): void {
  const fields = fieldsOf(schema);
  function fill(this: Query<unknown, unknown>, found: unknown): void {
    if (!found || !this.mongooseOptions().lean) return;
    const shown = shownOf(fields, this.projection() as Record<string, unknown> | null);
    for (const document of Array.isArray(found) ? found : [found]) complete(shown, document as Stored);
  }
  schema.post(['find', 'findOne', 'findOneAndUpdate'], fill);
}

function shownOf(fields: Field[], projection: Record<string, unknown> | null | undefined): Field[] {
  const asked = Object.entries(projection ?? {}).filter(([name]) => name !== '_id');
  if (asked.length === 0) return fields;
  const names = new Set(asked.map(([name]) => name));
  const isIncluding = asked.some(([, way]) => Boolean(way));
  return fields.filter(({ name }) => names.has(name) === isIncluding);
}

function complete(fields: Field[], document: Stored): void {
  for (const { name, empty, inner } of fields) {
    const value = document[name];
    if (value === undefined) {
      if (empty) document[name] = empty();
    } else if (inner && value !== null) {
      for (const part of Array.isArray(value) ? value : [value]) complete(inner, part as Stored);
    }
  }
}

function fieldsOf(schema: AnySchema): Field[] {
  return Object.entries(schema.paths as unknown as Record<string, Path>)
    .filter(([name]) => name !== '_id')
    .map(([name, path]) => {
      const inner = path.schema && fieldsOf(path.schema);
      return { name, inner, empty: emptyOf(path, inner) };
    });
}

const EMPTY: Record<string, () => unknown> = {
  String: () => '',
  Number: () => 0,
  Boolean: () => false,
  Date: () => new Date(0),
};

function emptyOf({ instance, isRequired, defaultValue, options }: Path, inner: Field[] | undefined) {
  if (defaultValue === undefined && Object.hasOwn(options, 'default')) return undefined;
  if (defaultValue === null || typeof defaultValue === 'string') return () => defaultValue;
  // Of a list the default is a function that makes it; one without may be left out.
  if (instance === 'Array') return defaultValue === undefined ? undefined : () => [];
  if (inner) return () => completed(inner);
  return isRequired || instance !== 'Date' ? EMPTY[instance] : undefined;
}

function completed(fields: Field[]): Stored {
  const part: Stored = {};
  complete(fields, part);
  return part;
}
