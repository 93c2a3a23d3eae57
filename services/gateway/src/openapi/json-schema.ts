import { z } from 'zod';
import { replySchemas, requestSchemas } from '@postroom/resources/schema-names';

export type JsonSchema = Record<string, unknown>;

const COMPONENTS = '#/components/schemas/';

/** The named schemas: of requests as callers write them, of replies as callers read them. */
export function componentSchemas(): Record<string, JsonSchema> {
  return {
    ...schemasOf(requestSchemas, 'input'),
    ...schemasOf(replySchemas, 'output'),
  };
}

export function referenceTo(schema: z.ZodType): JsonSchema {
  const id = requestSchemas.get(schema)?.id ?? replySchemas.get(schema)?.id;
  if (!id) throw new Error('a schema of a route has no name: give it one with requestSchema or replySchema');
  return { $ref: `${COMPONENTS}${id}` };
}

/** The parameters of a query, each with whether it must be there. */
export function queryProperties(schema: z.ZodType): { name: string; required: boolean; schema: JsonSchema }[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => ({
    name,
    required: required.includes(name),
    schema: property as JsonSchema,
  }));
}

function schemasOf(registry: typeof requestSchemas, io: 'input' | 'output'): Record<string, JsonSchema> {
  const { schemas } = z.toJSONSchema(registry, {
    io,
    uri: (id) => `${COMPONENTS}${id}`,
    // A resource may get a new field without breaking clients that validate answers.
    override: ({ jsonSchema }) => {
      if (io === 'output') delete jsonSchema.additionalProperties;
    },
  });
  // As a part of the description a schema is named by its place, and the dialect by the description's version.
  for (const schema of Object.values(schemas)) {
    delete schema.$id;
    delete schema.$schema;
  }
  return schemas;
}
