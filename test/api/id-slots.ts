import type { Route } from '../../services/gateway/src/routes/route.ts';
import { queryProperties } from '../../services/gateway/src/openapi/json-schema.ts';
import type { Ids } from './populated.ts';

type Kind = keyof Ids;

/** A part of a request in which something of a workspace is named. */
export interface Slot {
  /** As a path of the request: `path.labelId`, `query.viewId`, `body.emailIds[0]`. */
  position: string;
  kind: Kind;
}

/** A path parameter that two resources share means one thing at each. */
const SHARED: readonly { name: string; path: RegExp; kind: Kind }[] = [
  { name: 'ruleId', path: /^\/ai-/, kind: 'aiRuleId' },
  { name: 'ruleId', path: /^\/auto-/, kind: 'forwardRuleId' },
  { name: 'filters', path: /./, kind: 'labelId' },
];
const isShared = (name: string) => SHARED.some((entry) => entry.name === name);
/** A query parameter names something of a workspace if its name says so; the others are words and numbers. */
const names = (parameter: string) => /Ids?$/.test(parameter) || parameter === 'cursor' || isShared(parameter);

export function slotsOfAddress(route: Route): Slot[] {
  const inPath = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ['path', name as string] as const);
  const inQuery = route.query ? queryProperties(route.query).map(({ name }) => ['query', name] as const) : [];
  return [...inPath, ...inQuery.filter(([, name]) => names(name))].map(([where, name]) => ({
    position: `${where}.${name}`,
    kind: kindOf(name, route),
  }));
}

function kindOf(name: string, { path }: Pick<Route, 'path'>): Kind {
  const shared = SHARED.find((entry) => entry.name === name && entry.path.test(path));
  if (!shared && isShared(name)) throw new Error(`id-slots.ts: say in SHARED what "${name}" of ${path} stands for`);
  return shared?.kind ?? (name as Kind);
}

/** The id of something in the workspace that has one of everything. */
export function idOf(ids: Ids, kind: Kind): string {
  const id = ids[kind] as string | undefined;
  if (!id) throw new Error(`test/api/populated.ts: make one of what "${kind}" names, and return its id by this name`);
  return id;
}

/** Ids that are known before any workspace is: each stands for itself. */
export const placeholders = new Proxy({}, { get: (_ids, name: string) => `{${name}}` }) as Ids;

/** Each placeholder in a body that was made with them. */
export function slotsOfBody(body: unknown, position = 'body'): Slot[] {
  if (typeof body === 'string') {
    const kind = /^\{(\w+)\}$/.exec(body)?.[1];
    return kind ? [{ position, kind: kind as Kind }] : [];
  }
  if (typeof body !== 'object' || body === null) return [];
  return Object.entries(body).flatMap(([name, value]) =>
    slotsOfBody(value, Array.isArray(body) ? `${position}[${name}]` : `${position}.${name}`),
  );
}
