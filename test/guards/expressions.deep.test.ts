import { join } from 'node:path';
import { describe, expect, it, jest } from '@jest/globals';
import { analyse } from 'scslre';
import { growthOf, LINEAR } from '../support/growth.ts';
import { type Expression, filesThatBuildExpressions, writtenExpressions } from './expressions.ts';
import { ROOT } from './sources.ts';

/** An expression that is slow on long text may stay where the text is short; the reason says who keeps it short. */
const SHORT_TEXT: Readonly<Record<string, string>> = {};
/** Files whose expressions exist only while a function runs, with the reason why their text is short or the search linear. */
const BUILT_IN_FUNCTIONS: Readonly<Record<string, string>> = {
  'libs/embedded/src/filter/regex.ts':
    'the development database takes the expressions of the query layer, which are escaped text',
  'libs/mime/src/html-tags.ts': 'the name of one of six elements, without a quantifier',
  'services/operator/src/import/hints.ts': 'the first 16 KB of a file that an operator imports',
};

const SIGNS = [...'a0 \n"\'=;:-<>(){}[].,@+/\\*#\u200c\u0130'];
const LONGEST = 16_000;

const builders = filesThatBuildExpressions();
const built = recorded(builders);
const expressions = [...writtenExpressions(), ...built];

describe('every regular expression', () => {
  it('has no part that is tried again from every position of a run, by its form', () => {
    const slow = expressions.filter(({ expression }) => {
      const { reports } = analyse({ source: expression.source, flags: expression.flags });
      return reports.length > 0;
    });
    expect(slow.filter(isUnexplained).map(described)).toEqual([]);
  });

  it('takes a time that grows with the length of the text and not with its square', () => {
    const different = new Map(expressions.filter(repeats).map((one) => [String(one.expression), one]));
    const slow = [...different.values()].filter(({ expression }) => worstGrowth(expression) > LINEAR);
    expect(slow.filter(isUnexplained).map(described)).toEqual([]);
  });

  it('is known to this guard, also where a file puts it together when it runs', () => {
    const known = new Set([...built.map(({ path }) => path), ...Object.keys(BUILT_IN_FUNCTIONS)]);
    expect(builders.filter((path) => !known.has(path))).toEqual([]);
  });

  it('is excused from this only while it exists', () => {
    const sources = expressions.map(({ expression }) => expression.source);
    expect(Object.keys(SHORT_TEXT).filter((source) => !sources.includes(source))).toEqual([]);
  });
});

const described = ({ path, expression }: Expression) => `${path}: ${String(expression)}`;
/** Without a repetition an expression reads at most as many characters as it has, from each position. */
const repeats = ({ expression }: Expression) =>
  /[*+{]/.test(expression.source.replaceAll(/\\[^]/g, '').replaceAll(/\[[^\]]*\]/g, ''));
const isUnexplained = ({ expression }: Expression) => !(expression.source in SHORT_TEXT);

/** The worst growth on runs of the signs and words that the expression itself names, alone, in pairs and after a beginning. */
function worstGrowth(expression: RegExp): number {
  const words = wordsOf(expression.source);
  const pieces = [...SIGNS, ...words, ...words.flatMap((word) => SIGNS.map((sign) => word + sign))];
  const starts = ['', ...words];
  const search = expression.global
    ? (text: string) => void text.replace(expression, '')
    : (text: string) => ((expression.lastIndex = 0), void expression.test(text));
  for (const start of starts) {
    for (const piece of pieces) {
      const textOf = (size: number) => `${start}${piece.repeat(Math.ceil(size / piece.length))}\u0001`;
      const growth = growthOf((size) => search(textOf(size)), LONGEST);
      if (growth > LINEAR) return growth;
    }
  }
  return 1;
}

/** Runs of characters that the expression wants as they are. */
function wordsOf(source: string): string[] {
  const found = source
    .replaceAll(/\\[a-zA-Z](?:\{[^}]*\})?|\(\?[:=!<]+|\[[^\]]*\]|\{[\d,]+\}/g, '\0')
    .match(/(?:[^\0^$.*+?()|{}\\]|\\[^a-zA-Z])+/g);
  return [...new Set((found ?? []).map((word) => word.replaceAll('\\', '')))].filter((word) => word !== '').slice(0, 8);
}

/** The expressions that these files make while they are loaded. */
function recorded(paths: readonly string[]): Expression[] {
  const found: Expression[] = [];
  const real = globalThis.RegExp;
  for (const path of paths) {
    globalThis.RegExp = new Proxy(real, {
      construct: (target, [source, flags]: [string, string?]) => {
        const expression = new target(source, flags);
        found.push({ path, expression });
        return expression;
      },
    });
    try {
      jest.isolateModules(() => {
        require(join(ROOT, path));
      });
    } finally {
      globalThis.RegExp = real;
    }
  }
  return found;
}
