import { z } from 'zod';
import type { Route } from '../routes/table.ts';

interface Link {
  operationId: string;
  parameters: Record<string, string>;
}

const parametersOf = ({ path }: Route) => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as string);
const collectionOf = ({ path }: Route) => path.split('/')[1] as string;
/** An email that was sent stands among the emails; whatever else a call answers stands where the call does. */
const homeOf = (name: string, route: Route) => (name === 'email' ? 'emails' : collectionOf(route));

/** The next calls that use a value of an answer, so that tools can follow them. */
export function linksOf(route: Route, routes: readonly Route[]): Record<string, Link> {
  const fields = route.reply.schema instanceof z.ZodObject ? Object.keys(route.reply.schema.shape) : [];
  const [only, ...others] = fields;
  const links: Link[] = [];
  if (fields.includes('nextCursor')) links.push(nextPage(route));
  if (only === 'labels') links.push(...sameAddress(route, routes));
  else if (only === 'items') links.push(...linksOfList(route, routes));
  else if (only && others.length === 0)
    links.push(...linksTo(homeOf(only, route), `$response.body#/${only}/id`, routes));
  return Object.fromEntries(links.map((link) => [link.operationId, link]));
}

const nextPage = ({ operationId }: Route) => ({ operationId, parameters: { cursor: '$response.body#/nextCursor' } });

/** Of a whole collection; what is listed under one thing has no calls of its own. */
function linksOfList(route: Route, routes: readonly Route[]): Link[] {
  if (parametersOf(route).length > 0) return [];
  return linksTo(collectionOf(route), '$response.body#/items/0/id', routes);
}

/** The calls about one resource whose id is in the answer. */
function linksTo(collection: string, id: string, routes: readonly Route[]): Link[] {
  return routes
    .filter((target) => collectionOf(target) === collection && parametersOf(target).length === 1)
    .map((target) => ({ operationId: target.operationId, parameters: { [parametersOf(target)[0] as string]: id } }));
}

/** The other calls with the same address: what has been applied can be taken off. */
function sameAddress(route: Route, routes: readonly Route[]): Link[] {
  const parameters = Object.fromEntries(parametersOf(route).map((name) => [name, `$request.path.${name}`]));
  return routes.filter(({ path }) => path === route.path).map(({ operationId }) => ({ operationId, parameters }));
}
