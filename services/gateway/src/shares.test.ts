import { expect, it } from '@jest/globals';
import { createShares } from './shares.ts';

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** Calls that end when they are let, and the order in which they began. */
function calls() {
  const shares = createShares(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const call = (workspaceId: string, name: string) =>
    shares.work(workspaceId, () => {
      begun.push(name);
      return new Promise<string>((resolve) => ends.push(() => resolve(name)));
    });
  return { shares, begun, ends, call };
}

it('calls of a workspace beyond its share wait for its own, in the order they came, and hold up no other', async () => {
  const { begun, ends, call } = calls();
  const all = [call('a', 'a1'), call('a', 'a2'), call('a', 'a3'), call('a', 'a4'), call('b', 'b1')];
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'b1']);
  ends[1]?.();
  await turn();
  expect(begun).toEqual(['a1', 'a2', 'b1', 'a3']);
  while (begun.length < 5) {
    ends.forEach((end) => end());
    await turn();
  }
  ends.forEach((end) => end());
  expect(await Promise.all(all)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
});

it('a call that fails makes room like one that does not', async () => {
  const shares = createShares(1);
  const failed = shares.work('a', () => Promise.reject(new Error('no')));
  const next = shares.work('a', () => Promise.resolve('yes'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
