import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { ROOT } from '../guards/sources.ts';
import { isInstalled } from '../support/is-installed.ts';

it('npm start -- --json: one line on standard output, whatever the services log', async () => {
  // An install during the tests would take the packages away from the others.
  if (!isInstalled()) throw new Error('node_modules is not what package-lock.json names: run npm ci');
  const folder = mkdtempSync(join(tmpdir(), 'postroom-start-'));
  const options = ['--json', '--log', 'info', '--emails', '0', '--data', folder];
  const args = ['--conditions=@postroom/source', 'deploy/local/start.mjs', ...options];
  const started = spawn(process.execPath, args, { cwd: ROOT, env: { PATH: process.env.PATH } });
  process.once('exit', () => started.kill('SIGKILL'));
  let [stdout, stderr] = ['', ''];
  started.stdout.on('data', (text) => (stdout += text));
  started.stderr.on('data', (text) => (stderr += text));
  const closed = once(started, 'close');
  await Promise.race([once(started.stdout, 'data'), closed]);
  started.kill('SIGINT');
  // The text of standard error is compared too, so that a failed start tells its reason.
  expect({ end: await closed, stderr }).toEqual({ end: [0, null], stderr: expect.any(String) });
  expect(stdout.trimEnd().split('\n')).toEqual([expect.stringMatching(/^\{"baseUrl":"http.*\}$/)]);
  expect(stderr).toMatch(/^\{"level":"info".*"service":"mailbox-write"/m);
  // The parts of the API that need them are closed.
  expect(stderr).not.toMatch(/"service":"(changes|webhook-delivery)"/);
  rmSync(folder, { recursive: true });
}, 90_000);
