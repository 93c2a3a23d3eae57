import { expect, it } from '@jest/globals';
import { createBodyMemory } from './body-memory.ts';

const holder = (isKnown: boolean) => {
  const told = { isKnown: () => isKnown, gone: 0, letGo: () => void told.gone++ };
  return told;
};

it('holds as much as the bound says, however it is divided, and again what was released', () => {
  const memory = createBodyMemory(100);
  const [a, b] = [holder(false), holder(false)];
  expect([memory.hold(a, 40), memory.hold(b, 40), memory.hold(a, 61), memory.held]).toEqual([true, true, false, 80]);
  memory.release(b);
  expect([memory.hold(a, 100), memory.held]).toEqual([true, 100]);
});

it('takes from strangers, the first to come first, and no more than it needs', () => {
  const memory = createBodyMemory(100);
  const strangers = [holder(false), holder(false), holder(false)];
  for (const stranger of strangers) memory.hold(stranger, 30);
  const known = holder(true);
  expect(memory.hold(known, 60)).toBe(true);
  expect(strangers.map(({ gone }) => gone)).toEqual([1, 1, 0]);
  expect(memory.held).toBe(90);
});

it('takes nothing from whoever has a key, and nothing for a stranger', () => {
  const memory = createBodyMemory(100);
  const [known, stranger] = [holder(true), holder(false)];
  memory.hold(known, 60);
  memory.hold(stranger, 40);
  expect(memory.hold(holder(false), 1)).toBe(false);
  expect(memory.hold(holder(true), 50)).toBe(false);
  expect([known.gone, memory.hold(holder(true), 40)]).toEqual([0, true]);
});
