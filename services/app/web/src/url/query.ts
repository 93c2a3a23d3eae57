export function readState<Name extends string>(
  params: URLSearchParams,
  names: readonly Name[],
): Partial<Record<Name, string>> {
  const present = names.map((name) => [name, params.get(name)] as const).filter(([, value]) => value);
  return Object.fromEntries(present) as Partial<Record<Name, string>>;
}

/** An empty value leaves the address. */
export function withChanges(
  params: URLSearchParams,
  changes: Readonly<Record<string, string | null | undefined>>,
): URLSearchParams {
  const next = new URLSearchParams(params);
  for (const [name, value] of Object.entries(changes)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  return next;
}

/** `path?a=b` of what is given; what is empty is left out. */
export function withQuery(path: string, values: Readonly<Record<string, string | null | undefined>>): string {
  const query = withChanges(new URLSearchParams(), values).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The same path with another cursor; it may have a query already. */
export function withCursor(path: string, cursor: string): string {
  const [bare = path, query] = path.split('?');
  return withQuery(bare, { ...Object.fromEntries(new URLSearchParams(query)), cursor });
}
