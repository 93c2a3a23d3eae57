import { z } from 'zod';

/** Schemas of what callers send and of what they get, by the names the API description gives them. */
export const requestSchemas = z.registry<{ id: string }>();
export const replySchemas = z.registry<{ id: string }>();

export function requestSchema<S extends z.ZodType>(id: string, schema: S): S {
  requestSchemas.add(schema, { id });
  return schema;
}

export function replySchema<S extends z.ZodType>(id: string, schema: S): S {
  replySchemas.add(schema, { id });
  return schema;
}

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? unknown : never) : never;

/** Takes a schema whose values are a type's, field by field; any other does not compile. */
export function saysExactly<T>() {
  return <S extends z.ZodType>(schema: S & Same<z.output<S>, T>): S => schema;
}
