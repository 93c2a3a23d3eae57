import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { watch } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT } from './sources.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'postroom-suite-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The tests of each file, with their ends. */
type Report = Record<string, Record<string, 'passed' | 'failed' | 'pending'>>;
interface Attempt {
  report?: Report;
  exit?: number;
}

/** Says which report stands in for which attempt of Jest. */
const STAND_IN = `
const output = process.argv.find((arg) => arg.startsWith('--outputFile=')).slice('--outputFile='.length);
const [first, second] = JSON.parse(process.argv[2]);
const { report, exit } = output.endsWith('.second.json') ? second : first;
const testResults = Object.entries(report ?? {}).map(([name, tests]) => {
  const assertionResults = Object.entries(tests).map(([fullName, status]) => ({ fullName, status }));
  return { name, status: assertionResults.some(({ status }) => status === 'failed') ? 'failed' : 'passed', assertionResults };
});
if (report) require('fs').writeFileSync(output, JSON.stringify({ testResults }));
process.exitCode = exit ?? (testResults.some(({ status }) => status === 'failed') ? 1 : 0);
`;

/** The report of CI on a suite whose attempts end so. */
function said(...attempts: Attempt[]): { failed: number; red: string[]; unsteady: string[] } {
  const standIn = join(folder, 'stand-in.cjs');
  writeFileSync(standIn, STAND_IN);
  return suite('60', standIn, JSON.stringify(attempts));
}

function suite(seconds: string, ...command: string[]) {
  const args = ['.ci/suite.mjs', folder, 'deep', seconds, process.execPath, ...command];
  for (const attempt of ['first', 'second']) rmSync(join(folder, `deep.${attempt}.json`), { force: true });
  execFileSync(process.execPath, args, { cwd: ROOT, stdio: 'ignore' });
  return JSON.parse(readFileSync(join(folder, 'deep.json'), 'utf8'));
}

const file = join(ROOT, 'a.test.ts');
const other = join(ROOT, 'b.test.ts');

describe('a suite of CI', () => {
  it('is green where every test is', () => {
    expect(said({ report: { [file]: { t: 'passed' } } })).toMatchObject({ failed: 0, red: [], unsteady: [] });
  });

  it('names a test that is red once and then green', () => {
    const attempts = [{ report: { [file]: { t: 'failed' } } }, { report: { [file]: { t: 'passed' } } }] as const;
    expect(said(...attempts)).toMatchObject({ failed: 0, red: [], unsteady: ['a.test.ts: t'] });
  });

  it('names a test that is red once, also where its title has another seed the second time', () => {
    const attempts = [{ report: { [file]: { 'seed 1': 'failed' } } }, { report: { [file]: { 'seed 2': 'passed' } } }];
    expect(said(...(attempts as Attempt[]))).toMatchObject({ failed: 0, red: [], unsteady: ['a.test.ts: seed 1'] });
  });

  it.each<[string, Report]>([
    ['is red again', { [file]: { t: 'failed', other: 'passed' } }],
    ['is skipped', { [file]: { t: 'pending', other: 'passed' } }],
    ['does not run', { [other]: { t: 'passed' } }],
  ])('is red where a test is red and the second time %s', (_when, second) => {
    const first: Report = { [file]: { t: 'failed', other: 'passed' }, [other]: { t: 'failed' } };
    const { failed, red } = said({ report: first }, { report: { [other]: { t: 'passed' }, ...second } });
    expect([failed, red]).toEqual([1, ['a.test.ts: t']]);
  });

  it.each<[string, Attempt[]]>([
    ['ends with an error although all tests are green', [{ report: { [file]: { t: 'passed' } }, exit: 1 }]],
    ['leaves no report', [{ exit: 0 }]],
    ['runs no file', [{ report: {} }]],
    ['skips every test', [{ report: { [file]: { t: 'pending' } } }]],
    [
      'ends with an error when the red file has become green',
      [{ report: { [file]: { t: 'failed' } } }, { report: { [file]: { t: 'passed' } }, exit: 1 }],
    ],
  ])('is red where its run %s', (_how, attempts) => {
    expect(said(...attempts)).toMatchObject({ failed: 1, red: ['the run itself'] });
  });

  it('is red where its run lasts too long', () => {
    const script = join(folder, 'hangs.cjs');
    writeFileSync(script, 'setInterval(() => undefined, 1000)');
    expect(suite('1', script)).toMatchObject({ failed: 1, red: ['the run itself'] });
  });

  it('leaves no process of its run behind when it is ended', async () => {
    const script = join(folder, 'parent.cjs');
    const child = `const server = require('http').createServer().listen(0, '127.0.0.1', () =>
      require('fs').writeFileSync(${JSON.stringify(folder)} + '/port', String(server.address().port)))`;
    writeFileSync(script, `require('child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(child)}])`);
    const port = portWrittenTo(folder);
    const run = spawn(process.execPath, ['.ci/suite.mjs', folder, 'deep', '60', process.execPath, script], {
      cwd: ROOT,
    });
    const ended = once(run, 'exit');
    const url = `http://127.0.0.1:${await port}`;
    run.kill('SIGTERM');
    expect(await ended).toEqual([1, null]);
    await expect(fetch(url)).rejects.toThrow();
  });
});

async function portWrittenTo(to: string): Promise<string> {
  for await (const { filename } of watch(to)) {
    const port = filename === 'port' ? readFileSync(join(to, 'port'), 'utf8') : '';
    if (port !== '') return port;
  }
  throw new Error('no port');
}
