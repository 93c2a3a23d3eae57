import { Worker } from 'node:worker_threads';
import { afterEach, expect, it } from '@jest/globals';
import { openWorkerThread, type WorkerThread } from './worker-thread.ts';

const CODE = `
  const { parentPort, workerData } = require('node:worker_threads');
  parentPort.on('message', (request) => {
    if (request === 'hang') for (;;);
    if (request === 'fail') throw new Error('no');
    if (request === 'grow') for (const all = []; ; ) all.push(new Array(10_000).fill(0.5));
    parentPort.postMessage({ answer: 'done ' + request });
  });
  setTimeout(() => parentPort.postMessage('ready'), workerData);`;
const PATIENT = { ms: 60_000 };

let thread: WorkerThread<string, string>;
const open = (loadingMs = 0, mostMs?: number) => {
  const resourceLimits = { maxOldGenerationSizeMb: 16 };
  const options = { eval: true, execArgv: [], resourceLimits, workerData: loadingMs };
  thread = openWorkerThread(new Worker(CODE, options), mostMs);
};
afterEach(() => thread.end());

it('answers one request after the other', async () => {
  open();
  expect(await thread.ask('a', PATIENT)).toEqual({ answer: 'done a' });
  expect(await thread.ask('b', PATIENT)).toEqual({ answer: 'done b' });
  expect(thread.isAlive()).toBe(true);
});

it.each([
  ['late', 'hang', 50],
  ['dead', 'fail', 60_000],
  ['dead', 'grow', 60_000],
] as const)('is %s after "%s", and answers no later request', async (outcome, request, ms) => {
  open();
  expect(await thread.ask(request, { ms })).toBe(outcome);
  expect(thread.isAlive()).toBe(false);
  expect(await thread.ask('a', PATIENT)).toBe('dead');
});

it('ends the work of a caller who leaves, with the reason', async () => {
  open();
  const caller = new AbortController();
  const asked = thread.ask('hang', { ...PATIENT, signal: caller.signal });
  caller.abort(new Error('left'));
  await expect(asked).rejects.toThrow('left');
  expect(thread.isAlive()).toBe(false);
});

it('begins nothing for a caller who has left', async () => {
  open();
  await expect(thread.ask('hang', { ...PATIENT, signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow(
    'left',
  );
  expect(await thread.ask('a', PATIENT)).toEqual({ answer: 'done a' });
});

it('counts the time for a request from when it has loaded its code', async () => {
  open(1_500);
  expect(await thread.ask('a', { ms: 1_000 })).toEqual({ answer: 'done a' });
});

it('is cut where the time of the caller is up: alive while it loads its code, and ended while it works', async () => {
  open(1_000);
  expect(await thread.ask('a', { ...PATIENT, remainingMs: () => 50 })).toBe('cut');
  expect(await thread.ask('b', PATIENT)).toEqual({ answer: 'done b' });
  expect(await thread.ask('hang', { ...PATIENT, remainingMs: () => 50 })).toBe('cut');
  expect(thread.isAlive()).toBe(false);
});

it('is unloaded where it does not load its code in time, or ends by an error of it', async () => {
  open(1_000_000, 50);
  expect(await thread.ask('a', PATIENT)).toBe('unloaded');
  expect([thread.isAlive(), await thread.ask('a', PATIENT)]).toEqual([false, 'unloaded']);
  thread = openWorkerThread(new Worker('throw new Error("no memory")', { eval: true, execArgv: [] }));
  expect(await thread.ask('a', PATIENT)).toBe('unloaded');
});
