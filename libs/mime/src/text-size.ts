/** `none`: nobody can read it. An element inside may have a size again. */
export type TextSize = 'none' | 'some';

const SIZE = /(?:^|[;\s])font(-size)?\s*:\s*([^;!]+)/gi;
/** In the short form the size is the first length, and a weight has no unit. */
const IN_SHORT_FORM = /(?:^|\s)(0|[\d.]+(?:px|p[tc]|[cm]m|in|r?em|ex|ch|%|v[wh]))(?=[\s/])/i;
const LENGTH = /^\+?([\d.]+(?:e[-+]?\d+)?)([a-z]+|%)?\s*$/i;
const CALCULATED = /^(?:calc|min|max|clamp)\(/i;
const NUMBER = /(?:^|[\s(,])[-+]?([\d.]+)/g;
const NO_CHANGE = /^(?:inherit|smaller|larger|unset)\s*$/i;
/** Smaller than this nobody reads; of other units only nothing is too small. */
const LEAST: Readonly<Record<string, number>> = {
  px: 4,
  pt: 3,
  pc: 0.25,
  mm: 1,
  cm: 0.1,
  in: 0.04,
  em: 0.25,
  rem: 0.25,
  ex: 0.5,
  ch: 0.5,
  '%': 25,
};
/** A part or a multiple of the size around it. */
const RELATIVE = new Set(['em', 'ex', 'ch', '%']);

/** The size that a style gives to text; undefined where it leaves the one around it. The last declaration holds. */
export function sizeOf(style: string): TextSize | undefined {
  let size: TextSize | undefined;
  for (const [, isAlone, written = ''] of style.matchAll(SIZE)) {
    const length = isAlone === undefined ? IN_SHORT_FORM.exec(written)?.[1] : written;
    if (length !== undefined) size = sizeOfLength(length);
  }
  return size;
}

function sizeOfLength(written: string): TextSize | undefined {
  if (NO_CHANGE.test(written)) return undefined;
  if (CALCULATED.test(written))
    return [...written.matchAll(NUMBER)].every(([, digits]) => Number(digits) === 0) ? 'none' : 'some';
  const [, digits = '', unit = ''] = LENGTH.exec(written) ?? [];
  if (digits === '') return 'some';
  const isTooSmall = Number(digits) < (LEAST[unit.toLowerCase()] ?? Number.MIN_VALUE);
  if (isTooSmall) return 'none';
  return RELATIVE.has(unit.toLowerCase()) ? undefined : 'some';
}
