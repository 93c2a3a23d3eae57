import { refuse } from '@postroom/errors/refuse';

/** The arguments of a call, as they came. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Arguments of these names as query parameters; the gateway says what is wrong with them. */
export function queryOf(given: Arguments, names: readonly string[]): URLSearchParams {
  const query = new URLSearchParams();
  for (const name of names) {
    const value = given[name];
    if (value === undefined || value === null) continue;
    query.set(name, typeof value === 'string' ? value : JSON.stringify(value));
  }
  return query;
}

/** An id as a part of a path. It is the one argument without which there is no call to make. */
export function idIn(given: Arguments, name: string): string {
  const id = given[name];
  if (typeof id !== 'string' || id === '') refuse(name, 'must be an id, as another tool has given it');
  // A path has no part of dots alone, so that no such id can name another call.
  return /^\.+$/.test(id) ? 'unknown' : encodeURIComponent(id);
}

export function pick(given: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

export function idempotencyKeyIn({ idempotencyKey }: Arguments): { idempotencyKey?: string } {
  return typeof idempotencyKey === 'string' && idempotencyKey !== '' ? { idempotencyKey } : {};
}
