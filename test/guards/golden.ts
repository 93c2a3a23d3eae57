import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import { expect } from '@jest/globals';
import { ROOT } from './sources.ts';

/** Holds a text against the committed file; with UPDATE_GOLDEN it writes the file, so that a review sees the change. */
export function expectGolden(path: string, text: string, test: string): void {
  if (process.env.UPDATE_GOLDEN) return writeFileSync(path, text);
  const committed = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const how = `${relative(ROOT, path)}: check the change, then, UPDATE_GOLDEN=1 npx jest ${test} writes it`;
  expect([how, ...text.split('\n')]).toEqual([how, ...committed.split('\n')]);
}
