import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { CHART } from './helm.ts';

const page = readFileSync(join(CHART, 'VALUES.md'), 'utf8');

describe('the page of values', () => {
  it('is what values.yaml says; node charts/values-table.mjs makes it anew', () => {
    const script = join(CHART, '../values-table.mjs');
    expect(page).toBe(execFileSync(process.execPath, [script], { encoding: 'utf8' }));
  });

  it('describes every key that its name does not', () => {
    const bare = [...page.matchAll(/^\| `(\S+)` \|.*\|  \|$/gm)].map(([, key]) => key);
    const plain = ['minReplicas', 'pullPolicy', 'annotations', 'tolerations', 'affinity'];
    expect(bare.filter((key) => !plain.includes(key?.split('.').at(-1) ?? ''))).toEqual([]);
  });
});
