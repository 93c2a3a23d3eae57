import type { Route } from '../../services/gateway/src/routes/route.ts';
import { queryProperties } from '../../services/gateway/src/openapi/json-schema.ts';
import type { KnownIds } from './good-bodies.ts';

/** Everything of a workspace that a request can name. */
export interface Ids extends KnownIds {
  draftId: string;
  viewId: string;
  filterId: string;
  aiRuleId: string;
  forwardRuleId: string;
  cursor: string;
}
export type Kind = keyof Ids;

/** A place in a request where something of a workspace is named. */
export interface Slot {
  /** As a path of the request: `path.labelId`, `query.viewId`, `body.emailIds[0]`. */
  place: string;
  kind: Kind;
}

/** What a name in a path or a query stands for. */
const NAMED: Record<string, Kind> = {
  emailId: 'emailId',
  labelId: 'labelId',
  draftId: 'draftId',
  mailboxId: 'mailboxId',
  viewId: 'viewId',
  filterId: 'filterId',
  filters: 'labelId',
  cursor: 'cursor',
};
/** Parameters that name nothing of anyone's. */
const WORDS = new Set(['q', 'search', 'limit', 'folderType', 'filtered']);

export function slotsOfAddress(route: Route): Slot[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ['path', name as string] as const);
  const inQuery = route.query ? queryProperties(route.query).map(({ name }) => ['query', name] as const) : [];
  return [...inPath, ...inQuery]
    .filter(([, name]) => !WORDS.has(name))
    .map(([where, name]) => ({ place: `${where}.${name}`, kind: kindOf(name, route) }));
}

function kindOf(name: string, { path }: Route): Kind {
  if (name === 'ruleId') return path.startsWith('/ai-') ? 'aiRuleId' : 'forwardRuleId';
  const kind = NAMED[name];
  if (!kind) throw new Error(`say in id-slots.ts what "${name}" of ${path} stands for, or that it names nothing`);
  return kind;
}

/** Wherever a good body holds one of the ids it was made with. */
export function slotsOfBody(body: unknown, ids: Ids, place = 'body'): Slot[] {
  if (typeof body === 'string') {
    const kind = (Object.keys(ids) as Kind[]).find((each) => ids[each] === body);
    return kind ? [{ place, kind }] : [];
  }
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    slotsOfBody(value, ids, Array.isArray(body) ? `${place}[${name}]` : `${place}.${name}`),
  );
}
