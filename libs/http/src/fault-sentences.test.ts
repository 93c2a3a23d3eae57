import { expect, it } from '@jest/globals';
import { z } from 'zod';
import { faultSentence } from './fault-sentences.ts';

const kinds = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('a') }),
  z.object({ kind: z.literal('b'), list: z.array(z.string()).min(1).max(2) }),
]);

it.each<[string, z.ZodType, unknown]>([
  ['is required', z.string(), undefined],
  ['must be a string', z.string(), null],
  ['must be true or false', z.boolean(), 'true'],
  ['must be a whole number', z.int(), 1.5],
  ['must be at least 1', z.int().min(1), 0],
  ['must be at most 500', z.int().max(500), 501],
  ['must be one of sender, domain', z.enum(['sender', 'domain']), 'x'],
  ['must be one of a, b', kinds, { kind: 'c' }],
  ['must have at least 1 entries', kinds, { kind: 'b', list: [] }],
  ['must have at most 2 entries', kinds, { kind: 'b', list: ['x', 'y', 'z'] }],
  ['must be an array', kinds, { kind: 'b', list: 'x' }],
  ['must be an object', kinds, []],
  ['in words of its own', z.string().min(2, 'in words of its own'), 'x'],
])('%s', (sentence, schema, value) => {
  const { error } = schema.safeParse(value, { error: faultSentence });
  expect(error?.issues.map(({ message }) => message)).toEqual([sentence]);
});
