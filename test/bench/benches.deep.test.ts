import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';

const MAIN = join(__dirname, 'main.ts');
const TSX = ['--conditions=@postroom/source', '-r', 'tsx/cjs'];
const FOLDER = join(__dirname, 'benches');
const all = readdirSync(FOLDER).map((file) => file.replace('.ts', ''));
const needsEngines = (name: string) =>
  /lacks: lacks(Kafka|Redis)/.test(readFileSync(join(FOLDER, `${name}.ts`), 'utf8'));
/** The others have run without engines, and are the same programs with them. */
const names = process.env['KAFKA_BROKERS'] ? all.filter(needsEngines) : all;

it.each(names)('%s runs in its shortest form, or says what it lacks', async (name) => {
  const { stdout } = await promisify(execFile)(process.execPath, [...TSX, MAIN, '--short', name]);
  const lacking = /Went without: (.*)/.exec(stdout)?.[1];
  if (lacking) return skipAloud(`the bench ${lacking}`);
  expect(stdout).toMatch(/targets? (not )?met/);
});
