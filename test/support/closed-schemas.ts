type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Answers may grow for clients; for tests, a field that nobody described is a fault. */
const GROWING = new Set(['Error']);

/** An API description whose objects hold what is described and nothing else, those of answers too. */
export function closed(description: Record<string, unknown>): Record<string, unknown> {
  const { components } = description as { components: { schemas: Record<string, Json> } };
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    GROWING.has(name) || name.endsWith('Request') ? schema : close(schema),
  ]);
  return { ...description, components: { ...components, schemas: Object.fromEntries(schemas) as Json } };
}

function close(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(close);
  if (schema === null || typeof schema !== 'object') return schema;
  const inside = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, close(value)]));
  return 'properties' in schema && !('additionalProperties' in schema)
    ? { ...inside, additionalProperties: false }
    : inside;
}
