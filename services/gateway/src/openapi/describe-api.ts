import type { Route } from '../routes/table.ts';
import { codesNamedBy, errorSchema, responseComponents } from './describe-errors.ts';
import { headerComponents } from './describe-headers.ts';
import { describeRoute, SECURITY_SCHEME } from './describe-route.ts';
import { errorExamples } from './error-examples.ts';
import { filterNodeSchemas } from './filter-node.ts';
import { componentSchemas, type JsonSchema } from './json-schema.ts';

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
  description: 'Needs no key, and is not counted.',
  security: [],
  responses: {
    200: {
      description: 'OpenAPI 3.1.',
      headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  },
};

/** The groups of operations, in the order of the page. */
const TAGS = {
  Emails: 'What the mailboxes hold, and what can be done with it.',
  Labels: 'Manual labels, in one list with those of AI label rules.',
  Drafts: 'Emails for a person to review, and emails that are sent at once.',
  Mailboxes: 'The connected mailboxes, to read.',
  Signatures: 'What can stand under an email, to read.',
  Views: 'Saved filter trees.',
  'Inbox filters': 'What is kept out of the plain INBOX listing, and stays where it is.',
  'AI label rules': 'Conditions in plain language, each with the label it gives.',
  'Auto-forward rules': 'What is passed on as it arrives, and how that went.',
  Threads: 'Emails that answer each other, as one.',
  Changes: 'What happened to the emails of the workspace: one sequence, read from a cursor on.',
  Webhooks: 'URLs that events are delivered to, and how that went.',
  Description: 'This document.',
};

/** The machine-readable description. It is derived from the routes, so that it cannot differ from them. */
export function describeApi(routes: readonly Route[], publicUrl: string | undefined): Record<string, unknown> {
  const paths: Record<string, Record<string, unknown>> = { '/openapi.json': { get: descriptionOperation } };
  for (const route of routes) (paths[route.path] ??= {})[route.method.toLowerCase()] = describeRoute(route, routes);
  const used = new Set([...routes.map(({ tag }) => tag), ...descriptionOperation.tags]);
  const tags = Object.entries(TAGS).map(([name, description]) => ({ name, description }));
  const responses = responseComponents(routes);
  const schemas = { ...componentSchemas(), ...filterNodeSchemas() };
  return {
    openapi: '3.1.0',
    info,
    servers: [{ url: publicUrl ?? '/api/v1' }],
    tags: tags.filter(({ name }) => used.has(name)),
    paths,
    components: {
      securitySchemes: {
        [SECURITY_SCHEME]: { type: 'http', scheme: 'bearer', description: 'A key: `mk_` and 40 letters and digits.' },
      },
      headers: headerComponents,
      examples: errorExamples(codesNamedBy(routes)),
      responses,
      schemas: { ...neededOf({ paths, responses }, schemas), Error: errorSchema(routes) },
    },
  };
}

/** The schemas of closed routes are not described. In order of their names, because modules name them as they happen to be loaded. */
function neededOf(described: unknown, schemas: Record<string, JsonSchema>): Record<string, unknown> {
  const needed = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name = ''] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (needed.has(name)) continue;
      needed.add(name);
      follow(schemas[name] ?? {});
    }
  };
  follow(described);
  return Object.fromEntries([...needed].toSorted().map((name) => [name, schemas[name]]));
}
