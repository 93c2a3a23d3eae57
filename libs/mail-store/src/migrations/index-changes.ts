import type { Collection } from 'mongoose';
import type { IndexSpec } from '../indexes.ts';
import { dropIndex, listIndexes, makeIndexes, isLike, sameShape, type ListedIndex } from './index-commands.ts';
import type { IndexPoint } from './progress.ts';

export interface IndexOutcome {
  /** The indexes of the list that the database has now. */
  present: number;
  /** Of a kind that the server does not know. */
  refused: number;
  /** Indexes that the list does not have. Their owner is unknown, so they stay. */
  foreign: string[];
}

export type SayIndex = (at: IndexPoint, index: string) => void | Promise<void>;

/** The suffix of the name of the index that serves while the one of that name is built again. */
const BRIDGE = '~';

/**
 * Brings the indexes of a collection to the list. A missing index is made; an index that changed under its own name is
 * replaced behind a bridge. Each step is safe to repeat, so the next run completes one that was killed.
 */
export async function bringIndexes(
  collection: Collection,
  specs: readonly IndexSpec[],
  say: SayIndex,
  isNew = false,
): Promise<IndexOutcome> {
  const before = isNew ? [] : await listIndexes(collection);
  const named = new Map(before.map((index) => [index.name, index]));
  for (const spec of specs) {
    const there = named.get(spec.name);
    if (there && !isLike(there, spec) && (await giveWay(collection, there, spec, say))) named.delete(spec.name);
  }
  // Asked for although it is listed: a server may list what it is still building, and answers when that is done.
  const made = await makeIndexes(collection, specs);
  for (const { name } of specs) {
    if (!made.has(name)) await say('index refused', name);
    else if (!named.has(name)) await say('index made', name);
  }
  // Nobody else has made an index of a collection that was not there.
  const outcome = { present: made.size, refused: specs.length - made.size };
  if (isNew) return { ...outcome, foreign: [] };
  const known = new Set(['_id_', ...specs.map(({ name }) => name)]);
  const others = (await listIndexes(collection)).map(({ name }) => name).filter((name) => !known.has(name));
  const bridges = others.filter((name) => name.endsWith(BRIDGE) && known.has(name.slice(0, -BRIDGE.length)));
  for (const bridge of bridges) {
    await dropIndex(collection, bridge);
    await say('bridge dropped', bridge);
  }
  const foreign = others.filter((name) => !bridges.includes(name));
  return { ...outcome, foreign };
}

/**
 * Drops an index of the wrong shape once its bridge exists: an index like the new one with one more field that no
 * document has, so that queries keep an index and a unique key stays unique. False when the server ignores the new shape
 * and makes the existing one again.
 */
async function giveWay(collection: Collection, there: ListedIndex, spec: IndexSpec, say: SayIndex): Promise<boolean> {
  const bridge = { ...spec, name: spec.name + BRIDGE, key: { ...spec.key, [BRIDGE]: 1 as const } };
  // An expiring index has a single field, and no answer depends on it.
  const isBridged = !spec.expires && (await makeIndexes(collection, [bridge])).size > 0;
  if (isBridged) {
    await say('bridge made', bridge.name);
    const listed = (await listIndexes(collection)).find(({ name }) => name === bridge.name);
    const { [BRIDGE]: _, ...key } = listed?.key ?? {};
    if (listed && sameShape({ ...listed, key }, there)) return false;
  }
  await dropIndex(collection, spec.name);
  await say('index dropped', spec.name);
  return true;
}
