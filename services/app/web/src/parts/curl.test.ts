import { execFileSync } from 'node:child_process';
import { expect, it } from '@jest/globals';
import { curlOf } from './curl.ts';

/** The arguments that a shell hands to the program. */
const argumentsOf = (command: string) =>
  execFileSync('sh', ['-c', command.replace(/^curl/, "printf '%s\\n'")], {
    encoding: 'utf8',
    env: { KEY: 'mk_1', API: 'http://a' },
  })
    .trimEnd()
    .split('\n');

it('hands the key by its variable, and the address as it is', () => {
  const command = curlOf({ apiUrl: 'https://api.example/api/v1', path: '/emails?filters=%7B%7D&limit=2' });
  expect(argumentsOf(command)).toEqual([
    '-s',
    '-H',
    'Authorization: Bearer mk_1',
    'https://api.example/api/v1/emails?filters=%7B%7D&limit=2',
  ]);
});

it('reads nothing of what people typed as a command, in the path or the body', () => {
  const body = { name: `it's $(id) "x" \`id\`` };
  const command = curlOf({ apiUrl: null, method: 'POST', path: `/views?a='$(id)'`, body });
  expect(argumentsOf(command).slice(-2)).toEqual([JSON.stringify(body), `http://a/views?a='$(id)'`]);
});
