import { expect, it } from '@jest/globals';
import { currentRules } from './current-rules.ts';
import type { Rule } from './rule-store.ts';

/** Reads that end when the test says so, each with the rules that existed when it began. */
function world() {
  const rules: string[] = [];
  const reads: ((error?: Error) => void)[] = [];
  const rulesOf = currentRules({
    list: () => {
      const found = rules.map((_id) => ({ _id }) as Rule);
      return new Promise((resolve, reject) => {
        reads.push((error) => (error ? reject(error) : resolve(found)));
      });
    },
  });
  const ask = async () => (await rulesOf('wsp_1')).map(({ _id }) => _id);
  const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));
  return { rules, reads, ask, nextImmediate };
}

it('a rule that was made before the call is among them, though a read has begun and another has ended before', async () => {
  const { rules, reads, ask, nextImmediate } = world();
  const first = ask();
  reads[0]?.();
  expect(await first).toEqual([]);
  const early = ask();
  rules.push('air_1');
  const late = ask();
  reads[1]?.();
  await nextImmediate();
  reads[2]?.();
  expect([await early, await late]).toEqual([[], ['air_1']]);
});

it('a burst of calls reads twice, and calls after it read again', async () => {
  const { rules, reads, ask, nextImmediate } = world();
  rules.push('air_1');
  const burst = Array.from({ length: 20 }, ask);
  reads[0]?.();
  await nextImmediate();
  // A call while the second read runs waits for a third one.
  const late = ask();
  reads[1]?.();
  await nextImmediate();
  reads[2]?.();
  expect(await Promise.all([...burst, late])).toEqual(Array.from({ length: 21 }, () => ['air_1']));
  expect(reads).toHaveLength(3);
  const after = ask();
  reads[3]?.();
  expect(await after).toEqual(['air_1']);
});

it('a failed read fails the calls that waited for it, and the others read again', async () => {
  const { reads, ask, nextImmediate } = world();
  const first = ask();
  const second = ask();
  reads[0]?.(new Error('unavailable'));
  await expect(first).rejects.toThrow('unavailable');
  await nextImmediate();
  reads[1]?.();
  expect(await second).toEqual([]);
});
