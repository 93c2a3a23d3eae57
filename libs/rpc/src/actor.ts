import { type Actor, ACTOR_KINDS } from '@postroom/contract/actor';

export type { Actor } from '@postroom/contract/actor';

/** Clients of other people choose their names, and metadata has room for a few kilobytes. */
const NAME_LENGTH = 200;

/** A metadata value holds ASCII only, and names are in any script. */
export function toMetadata({ kind, id, name, address }: Actor): string {
  return encodeURIComponent(JSON.stringify([kind, id, name.slice(0, NAME_LENGTH), address]));
}

/** Undefined for a value that no peer of this version has written. */
export function actorIn(text: string): Actor | undefined {
  if (text === '') return undefined;
  try {
    const [kind, id, name, address] = JSON.parse(decodeURIComponent(text)) as unknown[];
    const known = ACTOR_KINDS.find((one) => one === kind);
    if (!known || typeof id !== 'string' || typeof name !== 'string' || typeof address !== 'string') return undefined;
    return { kind: known, id, name, address };
  } catch {
    return undefined;
  }
}
