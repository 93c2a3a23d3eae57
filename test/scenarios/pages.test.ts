import { describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import { disturbing, listings, setScene, walk } from './page-walk.ts';

const stack = useStack();
/** Each kind of change, at emails far from each other. */
const DISTURBANCES = [0, 1, 2, 3, 4].map((kind): [number, number] => [kind, 7 * kind]);

describe('a walk through all pages while mail arrives, leaves and changes', () => {
  it.each(Object.entries(listings))('loses and repeats nothing: %s', async (_name, listing) => {
    const scene = await setScene(stack, listing);
    const seen = await walk(scene, [11, 3, 17, 5], disturbing(scene, DISTURBANCES));
    expect(new Set(seen).size).toBe(seen.length);
    expect(scene.unchanged.filter((id) => !seen.includes(id))).toEqual([]);
  });
});
