import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from '@jest/globals';
import { skipAloud } from '../support/skips.ts';

const MAIN = join(__dirname, 'main.ts');
const FROM_SOURCE = ['--conditions=@postroom/source', '-r', '@postroom/from-source/register'];
const FOLDER = join(__dirname, 'benches');
const all = readdirSync(FOLDER).map((file) => file.replace(/\.ts$/, ''));
const needsEngines = (name: string) =>
  /lacks: lacks(Kafka|Redis)/.test(readFileSync(join(FOLDER, `${name}.ts`), 'utf8'));
/** The others have run without engines, and are the same programs with them. */
const names = process.env['KAFKA_BROKERS'] ? all.filter(needsEngines) : all;

let output = '';
/** One process for all of them: most of the time of each would be the start of its own. */
beforeAll(async () => {
  ({ stdout: output } = await promisify(execFile)(process.execPath, [...FROM_SOURCE, MAIN, '--short', ...names]));
  expect(output).toMatch(/targets? (not )?met/);
});

it.each(names)('%s runs in its shortest form, or says what it lacks', (name) => {
  const [, own = ''] = output.split(`\n${name}: `);
  const [told = ''] = own.split('\n\n');
  const lacking = /Went without: (.*)/.exec(told)?.[1];
  if (lacking) return skipAloud(`the bench ${lacking}`);
  const [, ...figures] = told.split('\n');
  expect(figures).not.toEqual([]);
});
