import { bounds } from '@postroom/contract/bounds';
import type { Route } from '../routes/table.ts';
import { patterns } from '@postroom/resources/text';
import { errorResponses } from './describe-errors.ts';
import { headersOf } from './describe-headers.ts';
import { linksOf } from './describe-links.ts';
import { queryProperties, referenceTo, type JsonSchema } from './json-schema.ts';

export const SECURITY_SCHEME = 'apiKey';

/** One operation of the description, read off the route. */
export function describeRoute(route: Route, routes: readonly Route[]): Record<string, unknown> {
  const { operationId, tag, summary, body, bodyIsOptional } = route;
  const needs = route.permission === 'send' ? [route.scope, 'allowOutboundSend'] : [route.scope];
  return {
    operationId,
    tags: [tag],
    summary,
    description: descriptionOf(route),
    // A client of these descriptions knows by it what may be closed.
    ...(route.feature && { 'x-feature': route.feature }),
    security: [{ [SECURITY_SCHEME]: needs }],
    parameters: [...pathParameters(route), ...queryParameters(route), ...headerParameters(route)],
    ...(body && {
      requestBody: { required: !bodyIsOptional, content: { 'application/json': { schema: referenceTo(body) } } },
    }),
    responses: { [route.reply.status]: successResponse(route, routes), ...errorResponses(route) },
  };
}

function descriptionOf({ description, scope, permission }: Route): string {
  const needs = `Needs the scope \`${scope}\`${permission === 'send' ? ' and the Send emails permission' : ''}.`;
  return description ? `${description} ${needs}` : needs;
}

function successResponse(route: Route, routes: readonly Route[]) {
  const { status, schema, type, description } = route.reply;
  const links = linksOf(route, routes);
  return {
    description,
    headers: headersOf({ status, isReplayable: route.idempotent }),
    ...(type && { content: { [type]: { schema: { type: 'string' } } } }),
    ...(schema && { content: { 'application/json': { schema: referenceTo(schema) } } }),
    ...(Object.keys(links).length > 0 && { links }),
  };
}

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: unknown;
  schema: JsonSchema;
}

function pathParameters({ path }: Route): Parameter[] {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
  const schema = { type: 'string', minLength: 1, pattern: patterns.text };
  return names.map((name) => ({ name, in: 'path', required: true, schema }));
}

function queryParameters({ query }: Route): Parameter[] {
  if (!query) return [];
  return queryProperties(query).map(({ name, required, schema: { description, ...schema } }) => ({
    name,
    in: 'query',
    required,
    ...(description !== undefined && { description }),
    schema,
  }));
}

function headerParameters({ idempotent }: Route): Parameter[] {
  if (!idempotent) return [];
  const description = 'Unique per operation, such as a UUID: the same call with it is answered once and then repeated.';
  const schema = { type: 'string', maxLength: bounds.idempotency.keyLength };
  return [{ name: 'Idempotency-Key', in: 'header', required: false, description, schema }];
}
