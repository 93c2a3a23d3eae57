import { expect, it } from '@jest/globals';
import { readColor } from './colors.ts';

const rounded = (text: string) => {
  const read = readColor(text);
  return read && [...read.color.map(Math.round), read.alpha];
};

it.each([
  ['#f80', [255, 136, 0, 1]],
  ['FF8800', [255, 136, 0, 1]],
  ['#ff880033', [255, 136, 0, 0.2]],
  ['RebeccaPurple', [102, 51, 153, 1]],
  ['transparent', [0, 0, 0, 0]],
  ['rgb(255, 136, 0)', [255, 136, 0, 1]],
  ['rgba(100% 50% 0% / 20%)', [255, 128, 0, 0.2]],
  ['hsl(270, 50%, 40%)', [102, 51, 153, 1]],
  ['hsl(0.75turn 50% 40% / .5)', [102, 51, 153, 0.5]],
  ['hsl(-90deg 50% 40%)', [102, 51, 153, 1]],
  ['hwb(270 20% 40%)', [102, 51, 153, 1]],
  ['hwb(0 80% 80%)', [128, 128, 128, 1]],
  ['color(srgb 1 50% 0 / .2)', [255, 128, 0, 0.2]],
  ['oklch(100% 0 0)', [255, 255, 255, 1]],
  ['oklab(1 0 0)', [255, 255, 255, 1]],
  ['lab(99.5 0 0)', [255, 255, 255, 1]],
  ['lch(0% 0 0)', [0, 0, 0, 1]],
  ['oklch(50% 0 0 / 0%)', [0, 0, 0, 0]],
  ['Canvas', [255, 255, 255, 1]],
  ['WindowText', [0, 0, 0, 1]],
])('reads %s', (text, color) => expect(rounded(text)).toEqual(color));

it.each([
  'inherit',
  'var(--x)',
  'rgb(1 2)',
  'rgb(a b c)',
  '#12345',
  'constructor',
  '',
  'lab(50 0 0)',
  'color(srgb 1 2)',
])('reads no color in "%s"', (text) => expect(readColor(text)).toBeUndefined());
