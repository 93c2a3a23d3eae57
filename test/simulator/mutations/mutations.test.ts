import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { MUTATIONS } from './all.ts';

const ROOT = join(__dirname, '../../..');

it.each(MUTATIONS)('$workload: $fault: its code is there once', ({ file, code, instead }) => {
  expect(readFileSync(join(ROOT, file), 'utf8').split(code)).toHaveLength(2);
  expect(instead).not.toBe(code);
});
