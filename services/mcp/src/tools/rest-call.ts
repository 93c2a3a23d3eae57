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
  // A path has no part of dots alone, so that no such id can name another call, and half a character has no bytes.
  return /^\.+$|\p{Surrogate}/u.test(id) ? 'unknown' : encodeURIComponent(id);
}

export function pick(given: Arguments, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.filter((name) => given[name] !== undefined).map((name) => [name, given[name]]));
}

/** A key that cannot be taken is refused: without it, the repeat of the call would be made twice. */
export function idempotencyKeyIn({ idempotencyKey }: Arguments): { idempotencyKey?: string } {
  if (idempotencyKey === undefined || idempotencyKey === null || idempotencyKey === '') return {};
  if (typeof idempotencyKey !== 'string' || /[\p{Cc}\p{Surrogate}]/u.test(idempotencyKey))
    refuse('idempotencyKey', 'must be a text of one line');
  // A header carries the bytes of UTF-8, each as a character of its own.
  return { idempotencyKey: Buffer.from(idempotencyKey).toString('latin1') };
}
