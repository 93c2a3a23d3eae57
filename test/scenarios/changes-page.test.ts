import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { readRepositoryFile } from '../guards/sources.ts';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

/** The examples of the page, each with what it prints of a workspace that gets an email every now and then. */
const examples = [...readRepositoryFile('docs/changes.md').matchAll(/```js\n(.*?)```/gs)].map(([, code = '']) => code);
const printed = [/^\d+ emails\n$/, /^(email\.received\n)+$/];

describe('the examples of docs/changes.md', () => {
  it.each(examples.map((code, at) => [at + 1, code] as const))('example %i runs', async (at, code) => {
    const home = await stack.workspace();
    const { id } = await home.connectMailbox();
    await home.ingest(id, [{}, {}]);
    const folder = mkdtempSync(join(tmpdir(), 'postroom-example-'));
    const file = join(folder, 'example.mjs');
    writeFileSync(file, code);
    const env = { ...process.env, POSTROOM_URL: stack.baseUrl, POSTROOM_KEY: home.keys.read };
    const child = spawn(process.execPath, [file], { env, stdio: ['ignore', 'pipe', 'inherit'] });
    let output = '';
    child.stdout.on('data', (piece) => (output += String(piece)));
    let isOver = false;
    const exit = new Promise<number | null>((resolve) => child.once('close', resolve)).finally(() => (isOver = true));
    while (!isOver) {
      await home.ingest(id, [{}]);
      await Promise.race([exit, new Promise((resolve) => setTimeout(resolve, 300))]);
    }
    expect([await exit, output]).toEqual([0, expect.stringMatching(printed[at - 1] ?? /never/)]);
    rmSync(folder, { recursive: true });
  });

  it('are two', () => expect(examples).toHaveLength(printed.length));
});
