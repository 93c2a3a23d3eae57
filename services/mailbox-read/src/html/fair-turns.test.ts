import { expect, it } from '@jest/globals';
import { createFairTurns } from './fair-turns.ts';

/** Works that end when they are told to, with the order in which they began. */
function world(places: number) {
  const turns = createFairTurns(places);
  const begun: string[] = [];
  const ends = new Map<string, (fail?: Error) => void>();
  const ask = (owner: string, name: string) =>
    turns
      .take(owner, () => {
        begun.push(name);
        return new Promise<void>((resolve, reject) => ends.set(name, (fail) => (fail ? reject(fail) : resolve())));
      })
      .catch(() => undefined);
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const end = async (name: string, fail?: Error) => {
    ends.get(name)?.(fail);
    await settled();
  };
  return { ask, begun, end, settled };
}

it('a stranger waits for what is being done and for nothing that waits', async () => {
  const { ask, begun, end, settled } = world(1);
  for (let n = 0; n < 50; n++) void ask('attacker', `a${n}`);
  void ask('victim', 'v');
  await settled();
  expect(begun).toEqual(['a0']);
  await end('a0');
  expect(begun).toEqual(['a0', 'v']);
  await end('v', new Error('failed'));
  expect(begun).toEqual(['a0', 'v', 'a1']);
});

it('one owner never holds two places', async () => {
  const { ask, begun, end, settled } = world(2);
  void ask('attacker', 'a0');
  void ask('attacker', 'a1');
  await settled();
  expect(begun).toEqual(['a0']);
  void ask('victim', 'v');
  await settled();
  expect(begun).toEqual(['a0', 'v']);
  await end('v');
  expect(begun).toEqual(['a0', 'v']);
  await end('a0');
  expect(begun).toEqual(['a0', 'v', 'a1']);
});

it('owners take turns, and each has what it asked for in order', async () => {
  const { ask, begun, end, settled } = world(1);
  for (const name of ['a0', 'a1', 'b0', 'b1', 'c0']) void ask(name.charAt(0), name);
  await settled();
  for (const name of ['a0', 'b0', 'c0', 'a1', 'b1']) await end(name);
  expect(begun).toEqual(['a0', 'b0', 'c0', 'a1', 'b1']);
});
