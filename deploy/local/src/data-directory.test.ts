import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { openDataDirectory } from './data-directory.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'postroom-data-'));
});
afterEach(() => rmSync(root, { recursive: true }));

const modeOf = (...path: string[]) => (statSync(join(root, ...path)).mode & 0o777).toString(8);

it('the folder and all that is in it are for their owner alone, what an earlier version left there too', () => {
  mkdirSync(join(root, '.postroom/mongodb'), { recursive: true, mode: 0o755 });
  writeFileSync(join(root, '.postroom/mongodb/journal'), 'mail', { mode: 0o644 });
  const directory = openDataDirectory(join(root, '.postroom'), false);
  directory.write('addresses.json', { OPERATOR_TOKEN: 'token' });
  expect([modeOf('.postroom'), modeOf('.postroom/mongodb')]).toEqual(['700', '700']);
  const files = ['mongodb/journal', 'addresses.json', 'pid'].map((name) => modeOf('.postroom', name));
  expect(files).toEqual(['600', '600', '600']);
});

it('keys outlive a fresh start, because a database elsewhere may hold what they seal', () => {
  mkdirSync(join(root, 'keys'));
  writeFileSync(join(root, 'keys/2026-01-01'), 'key');
  writeFileSync(join(root, 'demo.json'), '{}');
  const directory = openDataDirectory(root, true);
  expect(directory.read('demo.json')).toBeUndefined();
  expect(modeOf('keys/2026-01-01')).toBe('600');
});
