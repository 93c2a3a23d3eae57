import { Schema } from 'mongoose';
import { fillEmpty } from './empty-values.ts';

// Strict both ways: a field or a query that the shape does not know is an error, never silently dropped.
const options = {
  strict: 'throw',
  strictQuery: 'throw',
  autoIndex: false,
  autoCreate: false,
  versionKey: false,
  minimize: false,
  id: false,
} as const;

/** Every field of the document and no other, so that shape and schema do not drift apart. */
type Definition<T> = Record<Exclude<keyof T, '_id'>, unknown>;

// The two type arguments keep the compiler from deriving a document type out of each definition: that took it seconds.
const make = (definition: Record<string, unknown>, _id: boolean) =>
  new Schema<unknown, unknown>(definition, { ...options, _id });

declare const document: unique symbol;
/** The schema of one shape of documents. */
export type StoredSchema<T> = ReturnType<typeof make> & { readonly [document]?: T };

export function schema<T>(definition: Definition<T>): StoredSchema<T> {
  const made = make({ _id: String, ...definition }, true);
  fillEmpty(made);
  return made;
}
export const part = <T>(definition: Definition<T>) => make(definition, false);

export const required = <T>(type: T) => ({ type, required: true });
/** Present with an empty value too: mongoose's own `required` refuses "". */
export const presentText = { type: String, default: '' };
export const nullable = <T>(type: T) => ({ type, default: null });
