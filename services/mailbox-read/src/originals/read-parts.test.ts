import { Worker } from 'node:worker_threads';
import { expect, it } from '@jest/globals';
import { readParts } from './read-parts.ts';

const RAW = Buffer.from(
  'From: a@b.example\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment\r\n\r\nHello',
);
const asked = { kind: 'attachment', position: 0 } as const;
const patient = () => ({ ms: 30_000, signal: new AbortController().signal });
const running = (code: string) => () =>
  new Worker(code, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 16 } });

it('takes a part out of a message in a thread', async () => {
  const found = await readParts(RAW, asked, patient());
  expect(found).toMatchObject({ kind: 'attachment', attachment: { filename: 'a.txt', mimeType: 'text/plain' } });
  expect(found.kind === 'attachment' && Buffer.from(found.attachment?.content ?? '').toString()).toBe('Hello');
});

const onMessage = (code: string) =>
  `const { parentPort } = require('node:worker_threads');
   parentPort.on('message', () => { ${code} });
   parentPort.postMessage('ready');`;

it.each([
  ['takes too long', 'for (;;);', 50],
  ['takes too much memory', 'const all = []; for (;;) all.push(new Array(10_000).fill(0.5))', 30_000],
  ['breaks the parser', 'throw new Error("broken")', 30_000],
  ['ends the thread', 'process.exit(1)', 30_000],
])('refuses a message that %s', async (_what, code, ms) => {
  expect(await readParts(RAW, asked, { ...patient(), ms }, running(onMessage(code)))).toEqual({ kind: 'refused' });
});

it('fails, and refuses no message, where its thread cannot load its code', async () => {
  const start = running('throw new Error("no memory")');
  await expect(readParts(RAW, asked, patient(), start)).rejects.toThrow('no thread could load');
});

it('ends the thread of a caller who leaves', async () => {
  const caller = new AbortController();
  const ended: number[] = [];
  const start = () => {
    const worker = running('setInterval(() => undefined, 1_000)')();
    worker.once('exit', (code) => ended.push(code));
    worker.once('online', () => caller.abort(new Error('left')));
    return worker;
  };
  await expect(readParts(RAW, asked, { ms: 30_000, signal: caller.signal }, start)).rejects.toThrow('left');
  while (ended.length === 0) await new Promise((resolve) => setImmediate(resolve));
  expect(ended).toHaveLength(1);
});
