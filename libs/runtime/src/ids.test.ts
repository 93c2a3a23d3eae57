import { describe, expect, it } from '@jest/globals';
import { randomIds, seededIds } from './ids.ts';

describe('ids', () => {
  it('are a prefix and 22 letters or digits', () => {
    expect(randomIds('lbl')).toMatch(/^lbl_[0-9A-Za-z]{22}$/);
    expect(seededIds(1)('lbl')).toMatch(/^lbl_[0-9A-Za-z]{22}$/);
  });

  it('do not repeat', () => {
    const ids = new Set(Array.from({ length: 20_000 }, () => randomIds('x')));
    expect(ids.size).toBe(20_000);
    const seeded = seededIds(7);
    expect(new Set(Array.from({ length: 20_000 }, () => seeded('x'))).size).toBe(20_000);
  });

  it('use every letter about equally often', () => {
    const counts = new Map<string, number>();
    for (let made = 0; made < 3_000; made += 1) {
      for (const letter of randomIds('').slice(1)) counts.set(letter, (counts.get(letter) ?? 0) + 1);
    }
    const mean = (3_000 * 22) / 62;
    expect(counts.size).toBe(62);
    expect(Math.max(...counts.values())).toBeLessThan(mean * 1.25);
    expect(Math.min(...counts.values())).toBeGreaterThan(mean * 0.75);
  });

  it('come again in the same order from the same seed', () => {
    const first = seededIds(42);
    const second = seededIds(42);
    expect([first('a'), first('b')]).toEqual([second('a'), second('b')]);
    expect(first('a')).not.toBe(seededIds(43)('a'));
  });
});
