import type { z } from 'zod';

/** A change must change something: refuses a body without any of its fields, naming all of them. */
export function atLeastOne<S extends z.ZodObject>(schema: S, meta: object = {}) {
  const names = Object.keys(schema.shape);
  const refined = schema.superRefine((value, context) => {
    if (names.some((name) => (value as Record<string, unknown>)[name] !== undefined)) return;
    for (const name of names) {
      context.addIssue({ code: 'custom', path: [name], message: `at least one of ${names.join(', ')} is needed` });
    }
  });
  return refined.meta({ minProperties: 1, ...meta });
}
