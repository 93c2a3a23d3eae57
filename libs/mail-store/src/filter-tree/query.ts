/** A MongoDB query: built by this library from parsed conditions, never from a caller's object. */
export type Query = Record<string, unknown>;

export const ALWAYS: Query = {};
export const NEVER: Query = { _id: { $in: [] } };

export function every(queries: Query[]): Query {
  if (queries.includes(NEVER)) return NEVER;
  const telling = queries.filter((query) => query !== ALWAYS);
  if (telling.length < 2) return telling[0] ?? ALWAYS;
  return { $and: telling };
}

export function some(queries: Query[]): Query {
  if (queries.includes(ALWAYS)) return ALWAYS;
  const telling = queries.filter((query) => query !== NEVER);
  if (telling.length < 2) return telling[0] ?? NEVER;
  return { $or: telling };
}

export function none(queries: Query[]): Query {
  if (queries.includes(ALWAYS)) return NEVER;
  const telling = queries.filter((query) => query !== NEVER);
  return telling.length === 0 ? ALWAYS : { $nor: telling };
}

/**
 * All of them in one flat object, as far as no two speak of the same field: equalities at the top are what every
 * planner finds an index for, partial ones included.
 */
export function flatten(queries: Query[]): Query {
  const flat: Query = {};
  const rest: Query[] = [];
  for (const query of queries.flatMap(partsOf)) {
    const clashes = Object.keys(query).some((key) => Object.hasOwn(flat, key));
    if (clashes) rest.push(query);
    else Object.assign(flat, query);
  }
  return rest.length === 0 ? flat : { ...flat, $and: rest };
}

function partsOf(query: Query): Query[] {
  const { $and: inner, ...own } = query;
  if (!Array.isArray(inner)) return [query];
  return [own, ...(inner as Query[]).flatMap(partsOf)];
}
