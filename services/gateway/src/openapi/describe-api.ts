import type { Route } from '../route.ts';
import { errorSchema, responseComponents } from './describe-errors.ts';
import { headerComponents } from './describe-headers.ts';
import { describeRoute, SECURITY_SCHEME } from './describe-route.ts';
import { errorExamples } from './error-examples.ts';
import { filterNodeSchema } from './filter-node.ts';
import { componentSchemas } from './json-schema.ts';

const info = {
  title: 'Postroom API',
  version: '1',
  description:
    'The email of a workspace. Every call but this description needs `Authorization: Bearer <API key>`; a key reaches ' +
    'every mailbox of its workspace. Limits per minute and per month belong to the workspace and stand on every answer.',
  license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
};

const descriptionOperation = {
  operationId: 'getOpenApi',
  tags: ['Description'],
  summary: 'This description',
  security: [],
  responses: { 200: { description: 'OpenAPI 3.1.', content: { 'application/json': { schema: { type: 'object' } } } } },
};

/** The machine-readable description, derived from the routes, so that it cannot say anything else than they do. */
export function describeApi(routes: readonly Route[], publicUrl: string | undefined): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = { '/openapi.json': { get: descriptionOperation } };
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = describeRoute(route);
  const tags = [...new Set(routes.map(({ tag }) => tag)), 'Description'].map((name) => ({ name }));
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: publicUrl ?? '/api/v1' }],
    tags,
    paths,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'A key: `mk_` and 40 letters and digits.' },
      },
      headers: headerComponents,
      examples: errorExamples,
      responses: responseComponents(routes),
      schemas: { ...componentSchemas(), FilterNode: filterNodeSchema(), Error: errorSchema },
    },
  };
}
