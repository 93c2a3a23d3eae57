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

declare const typeOfValues: unique symbol;

/** The definition of a field for mongoose, with the type of its values. */
export interface Field<T> {
  readonly [typeOfValues]: T;
}
export interface OptionalField<T> extends Field<T> {
  readonly isOptional: true;
}

/** The type of the values that a definition stands for. */
type Value<D> =
  D extends Field<infer T>
    ? T
    : D extends StringConstructor
      ? string
      : D extends NumberConstructor
        ? number
        : D extends BooleanConstructor
          ? boolean
          : D extends DateConstructor
            ? Date
            : D extends BufferConstructor
              ? Buffer
              : D extends readonly (infer E)[]
                ? Value<E>[]
                : never;

/** The type of an object with the fields of a definition. */
export type Shape<D> = {
  [K in keyof D as D[K] extends OptionalField<unknown> ? never : K]: Value<D[K]>;
} & {
  [K in keyof D as D[K] extends OptionalField<unknown> ? K : never]?: Value<D[K]>;
};

// The two type arguments keep the compiler from deriving a document type out of each definition: that took it seconds.
const make = (definition: object, _id: boolean) =>
  new Schema<unknown, unknown>(definition as Record<string, unknown>, { ...options, _id });

/** The schema of one shape of documents, or of a part of them. */
export type StoredSchema<T> = ReturnType<typeof make> & Field<T>;
/** The type of the documents of a schema. */
export type TypeOf<S extends Field<unknown>> = S[typeof typeOfValues];

/** Every document has the field `_id`; a definition names it where it says what the id is. */
export function schema<D extends object>(definition: D) {
  const made = make({ _id: String, ...definition }, true);
  fillEmpty(made);
  return made as StoredSchema<Shape<D & { _id: StringConstructor }>>;
}
export const part = <D extends object>(definition: D) => make(definition, false) as StoredSchema<Shape<D>>;

const field = <T>(definition: unknown) => definition as Field<T>;
const optionalField = <T>(definition: unknown) => definition as OptionalField<T>;

type ConstructorOf<T> = [T] extends [string]
  ? StringConstructor
  : [T] extends [number]
    ? NumberConstructor
    : ObjectConstructor;
/** The type of the values is narrower than mongoose can say, such as the words of a list. */
export const typed = <T>(type: ConstructorOf<T>) => field<T>(type);

export const required = <D>(type: D) => field<Value<D>>({ type, required: true });
export const withDefault = <D>(type: D, value: Value<D>) => field<Value<D>>({ type, required: true, default: value });
/** Present with an empty value too: mongoose's own `required` refuses "". */
export const presentText = field<string>({ type: String, default: '' });
export const nullable = <D>(type: D) => field<Value<D> | null>({ type, default: null });
export const absentOr = <D>(type: D) => optionalField<Value<D>>({ type, default: undefined });
/** Null where there is none, and absent from documents of an earlier version. */
export const absentOrNull = <D>(type: D) => optionalField<Value<D> | null>({ type, default: null });
