import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { answering, growth, LEARNED_FROM, type Learned, stateOf } from './learner.ts';

const nothing = (): Learned => ({ applied: [], notApplied: [], confidence: 100, unchecked: 0 });
const verdict = fc.record({ witness: fc.integer({ min: 0, max: 14 }).map(String), applies: fc.boolean() });
const agreed = fc.record({ witness: fc.integer({ min: 0, max: 30 }).map(String), applies: fc.constant<boolean>(true) });

interface Said {
  witness: string;
  applies: boolean;
}

function learned(verdicts: readonly Said[]): Learned {
  const pattern = nothing();
  for (const { witness, applies } of verdicts) {
    const grown = growth(pattern, { applies });
    if (grown?.grows && !pattern[grown.list].includes(witness)) pattern[grown.list].push(witness);
  }
  return pattern;
}

describe('a pattern', () => {
  it('is compiled after six different witnesses with one verdict, and not before', () => {
    fc.assert(
      fc.property(fc.array(agreed), (verdicts) => {
        const different = new Set(verdicts.map(({ witness }) => witness)).size;
        expect(stateOf(learned(verdicts))).toBe(different >= LEARNED_FROM ? 'compiled' : 'learning');
      }),
    );
  });

  it('is dropped by one other verdict, wherever it comes in the order, and for ever', () => {
    fc.assert(
      fc.property(fc.array(agreed, { minLength: 1 }), fc.nat(), fc.array(verdict), (same, at, later) => {
        const other = { witness: 'other', applies: false };
        const mixed = same.toSpliced(at % (same.length + 1), 0, other);
        expect(stateOf(learned([...mixed, ...later]))).toBe('dropped');
      }),
    );
  });

  it('is the same after a repeat of all verdicts, and in the same state in any order of them', () => {
    const shuffled = fc
      .array(verdict)
      .chain((verdicts) =>
        fc.tuple(
          fc.constant(verdicts),
          fc.shuffledSubarray(verdicts, { minLength: verdicts.length, maxLength: verdicts.length }),
        ),
      );
    fc.assert(
      fc.property(shuffled, ([verdicts, others]) => {
        expect(learned([...verdicts, ...verdicts])).toEqual(learned(verdicts));
        expect(stateOf(learned(others))).toBe(stateOf(learned(verdicts)));
      }),
    );
  });

  it('holds no more witnesses than it needs', () => {
    fc.assert(
      fc.property(fc.array(agreed, { minLength: 20, maxLength: 60 }), (verdicts) => {
        const { applied, notApplied } = learned(verdicts);
        expect(Math.max(applied.length, notApplied.length)).toBeLessThanOrEqual(LEARNED_FROM);
      }),
    );
  });
});

describe('the pattern that answers', () => {
  const words = (count: number) => Array.from({ length: count }, (_, n) => String(n));
  const compiled = { ...nothing(), applied: words(LEARNED_FROM) };
  const learning = { ...nothing(), applied: words(LEARNED_FROM - 1) };
  const dropped = { ...nothing(), applied: words(LEARNED_FROM), notApplied: ['x'] };

  it('is the most specific one that is compiled, and none behind one that was dropped', () => {
    const broad = { ...compiled };
    expect(answering([compiled, broad])).toBe(compiled);
    expect(answering([undefined, learning, broad])).toBe(broad);
    expect(answering([learning, dropped, broad])).toBeUndefined();
    expect(answering([undefined, learning])).toBeUndefined();
  });
});
