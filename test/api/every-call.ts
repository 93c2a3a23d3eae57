import type { Route } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import { goodBodies } from './good-bodies.ts';
import { idOf, slotsOfAddress } from './id-slots.ts';
import type { Ids } from './populated.ts';

/** A call as a client of any language makes it. */
interface Call {
  route: Route;
  params: Record<string, string>;
  body: object | undefined;
}

/** Last what takes away what the others ask for, and the label after the filter that goes with it. */
const order = ({ method, path }: Route) => (method === 'DELETE' ? (path === '/labels/{labelId}' ? 2 : 1) : 0);
export const routesInOrder = [...routes].sort((a, b) => order(a) - order(b));

/** Builds a valid call of a route for a workspace that has one of each resource. */
export function callOf(route: Route, ids: Ids): Call {
  const { operationId } = route;
  const inPath = slotsOfAddress(route).filter(({ position }) => position.startsWith('path.'));
  const named = inPath.map(({ position, kind }) => [position.slice('path.'.length), idOf(ids, kind)] as const);
  const query: Record<string, string> = operationId === 'searchEmails' ? { q: 'hello' } : {};
  return { route, params: { ...Object.fromEntries(named), ...query }, body: goodBodies(ids)[operationId]?.[0] };
}
