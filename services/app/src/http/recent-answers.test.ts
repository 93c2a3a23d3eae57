import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createRecentAnswers } from './recent-answers.ts';

function counted() {
  const clock = manualClock();
  const recent = createRecentAnswers(clock);
  let made = 0;
  const ask = (workspaceId = 'wsp_1', name = 'home') => recent.get(workspaceId, name, async () => (made += 1));
  return { clock, recent, ask };
}

it('makes one answer for all who ask within five seconds, and the next one after them', async () => {
  const { clock, ask } = counted();
  expect(await Promise.all([ask(), ask()])).toEqual([1, 1]);
  clock.set(clock.now() + 4_999);
  expect(await ask()).toBe(1);
  clock.set(clock.now() + 1);
  expect(await ask()).toBe(2);
});

it('keeps workspaces and names apart', async () => {
  const { ask } = counted();
  expect([await ask(), await ask('wsp_2'), await ask('wsp_1', 'usage'), await ask()]).toEqual([1, 2, 3, 1]);
});

it('reads again after a change, also where an answer that began before the change ends after it', async () => {
  const { recent, ask } = counted();
  let end = (_answer: string) => undefined as void;
  const before = recent.get('wsp_1', 'home', () => new Promise<string>((resolve) => (end = resolve)));
  recent.forget('wsp_1');
  end('before the change');
  expect(await before).toBe('before the change');
  expect(await ask()).toBe(1);
});

it('keeps no failure', async () => {
  const { recent, ask } = counted();
  await expect(recent.get('wsp_1', 'home', () => Promise.reject(new Error('unavailable')))).rejects.toThrow();
  expect(await ask()).toBe(1);
});

it('fails for the one who hangs up, and not for those who ask meanwhile', async () => {
  const { recent, ask } = counted();
  let hangUp = (_error: Error) => undefined as void;
  const first = recent.get('wsp_1', 'home', () => new Promise<number>((_resolve, reject) => (hangUp = reject)));
  const others = [ask(), ask()];
  hangUp(new Error('cancelled'));
  await expect(first).rejects.toThrow('cancelled');
  expect(new Set(await Promise.all(others))).toEqual(new Set([1, 2]));
});

it('keeps the thousand workspaces that were asked for last', async () => {
  const { ask } = counted();
  await ask('wsp_a');
  await ask('wsp_b');
  for (let n = 0; n < 998; n += 1) await ask(`wsp_${n}`);
  expect(await ask('wsp_a')).toBe(1);
  await ask('wsp_last');
  expect([await ask('wsp_a'), await ask('wsp_b')]).toEqual([1, 1_002]);
});
