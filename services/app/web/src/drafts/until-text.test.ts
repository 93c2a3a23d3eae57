import { expect, it } from '@jest/globals';
import { untilText } from './until-text.ts';

it.each([
  [272_000, 'leaves in 04:32'],
  [900_000, 'leaves in 15:00'],
  [1, 'leaves in 00:01'],
  [0, 'leaves now'],
  [-5_000, 'leaves now'],
])('%d ms before its time a reply %s', (ms, text) => expect(untilText(ms)).toBe(text));
