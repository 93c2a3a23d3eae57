import { isCutToLines } from './out-of-sight.ts';

/** `none`: nothing of the lines shows. `piled`: they lie on each other, so that at most one of them is read. */
export type Lines = 'none' | 'piled' | 'some';

const HEIGHT = /(?:^|[;\s])(?:line-height\s*:\s*|font\s*:[^;:/]*\/\s*)([^;!\s]+)/gi;
const LENGTH = /^([\d.]+)([a-z]+|%)?$/i;
/** Without a unit it is a part of the size of the letters. */
const LEAST: Readonly<Record<string, number>> = { '': 0.25, em: 0.25, rem: 0.25, '%': 25, px: 4, pt: 3 };

/** The lines by the declarations that say how high they are, the last of which holds, in an element with this style. */
export function linesOf(declarations: string, style: string): Lines | undefined {
  const written = [...declarations.matchAll(HEIGHT)].at(-1)?.[1];
  if (written === undefined || /^(?:inherit|unset)$/i.test(written)) return undefined;
  const [, digits = '', unit = ''] = LENGTH.exec(written) ?? [];
  const isHigh = digits === '' || Number(digits) >= (LEAST[unit.toLowerCase()] ?? Number.MIN_VALUE);
  if (isHigh) return 'some';
  return isCutToLines(style) ? 'none' : 'piled';
}
