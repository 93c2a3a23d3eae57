import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';

const MAIN = join(__dirname, 'main.ts');
const TSX = ['--conditions=@postroom/source', '-r', 'tsx/cjs'];
const names = readdirSync(join(__dirname, 'benches')).map((file) => file.replace('.ts', ''));

it.each(names)(
  '%s runs in its shortest form, or says what it lacks',
  async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [...TSX, MAIN, '--short', name]);
    const lacking = /Went without: (.*)/.exec(stdout)?.[1];
    if (lacking) return skipAloud(`the bench ${lacking}`);
    expect(stdout).toMatch(/targets? (not )?met/);
  },
  300_000,
);
