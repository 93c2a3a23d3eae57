import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readRepositoryFile } from '../guards/sources.ts';
import { openMailSink, type MailSink } from '../support/mail-sink.ts';
import { startStack, type TestStack } from '../support/stack.ts';

let sink: MailSink;
let stack: TestStack;
const known = { POSTROOM_URL: '', POSTROOM_KEY: '', EMAIL: '', MAILBOX: '', WEBHOOK: '' };

beforeAll(async () => {
  sink = await openMailSink();
  stack = await startStack({ variables: { DEVELOPMENT_SMTP_ADDR: sink.address } });
  const home = await stack.workspace();
  const { id } = await home.connectMailbox();
  const [email = ''] = await home.ingest(id, [{}, {}]);
  const { webhook } = (await home.write.post('/webhooks', { url: 'https://hooks.example.com/' })).body;
  const ids = { EMAIL: email, MAILBOX: id, WEBHOOK: webhook.id };
  Object.assign(known, { POSTROOM_URL: stack.baseUrl, POSTROOM_KEY: home.keys.send, ...ids });
});
afterAll(async () => {
  await stack?.close();
  await sink?.close();
});

/** The commands of a page, each with its heading and the part of its answer that the page shows. */
const pages = ['README.md', 'docs/api.md', 'docs/ai-rules.md', 'docs/webhooks.md'].map(readRepositoryFile);
/** They are for the command line of the operator, or for a program of the reader. */
const NO_CALL = /^npm /;
const examples = pages
  .flatMap((page) => page.split(/^##? /m))
  .flatMap((part) =>
    [...part.matchAll(/```sh\n(.*?)```\n\n```(json|http)\n(.*?)```/gs)].map(
      ([, command = '', kind = '', shown = '']) => [part.split('\n')[0] ?? '', command, kind, shown] as const,
    ),
  );

type Json = null | string | number | boolean | Json[] | { [name: string]: Json };

/** The answer has to contain the part that the page shows; `…` stands for any text. */
function expectShown(shown: Json, actual: Json | undefined): void {
  if (typeof shown === 'string' && shown.includes('…')) return expect(typeof actual).toBe('string');
  if (typeof shown !== 'object' || shown === null) return expect(actual).toBe(shown);
  if (Array.isArray(shown)) expect(Array.isArray(actual)).toBe(true);
  const found = actual as { [name: string]: Json };
  for (const [name, value] of Object.entries(shown)) expectShown(value as Json, found[name]);
}

async function run(command: string, env: NodeJS.ProcessEnv): Promise<string> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', command], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (piece) => (output += String(piece)));
  expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  return output;
}

describe('the examples of the pages', () => {
  it.each(examples)('%s: the command prints what the page shows', async (_heading, command, kind, shown) => {
    const output = await run(command, { ...process.env, ...known });
    if (kind === 'json') return expectShown(JSON.parse(shown) as Json, JSON.parse(output) as Json);
    for (const header of shown.trim().split('\n'))
      expect(output.toLowerCase()).toContain(header.replace('…', '').trim().toLowerCase());
  });

  it('are run, all of them', () => {
    const [, ...commands] = pages.join('\n').split('```sh\n');
    expect(examples).toHaveLength(commands.filter((command) => !NO_CALL.test(command)).length);
  });
});
