import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, it } from '@jest/globals';
import { silentLog } from '@postroom/runtime/log';
import { createParsePool, type ParsePool } from './parse-pool.ts';
import type { Death } from './parse-thread.ts';

/** A parser that obeys its message: it hangs, uses memory, exits, or answers. */
const OBEDIENT = `
  const { parentPort } = require('node:worker_threads');
  parentPort.on('message', ({ id, raw }) => {
    const order = Buffer.from(raw).toString();
    if (order.startsWith('hang')) for (;;);
    if (order.startsWith('eat')) for (const kept = []; ; ) kept.push(new Array(100000).fill(id));
    if (order.startsWith('end')) process.exit(1);
    parentPort.postMessage({ kind: 'mail', id, mail: { subject: order } });
  });
  parentPort.postMessage({ kind: 'ready' });
`;
const startObedient = () =>
  new Worker(OBEDIENT, { eval: true, execArgv: [], resourceLimits: { maxOldGenerationSizeMb: 32 } });

let pool: ParsePool;
const deaths: Death[] = [];
const open = (start = startObedient, threads = 2) => {
  deaths.length = 0;
  pool = createParsePool({ threads, log: silentLog, onDeath: (death) => deaths.push(death), start });
};
afterEach(() => pool.close());

const parse = async (order: string) => {
  const outcome = await pool.parse(Buffer.from(order), 'wsp_1');
  return outcome.kind === 'mail' ? `took ${outcome.mail.subject}` : outcome.cause;
};
const REFUSED = 'parsing took too much time or memory';

/** One that keeps a large message until it is let go, and counts how many are kept. */
const KEEPING = `
  const { parentPort, workerData } = require('node:worker_threads');
  const [KEPT, MOST, LET_GO, SEEN] = [0, 1, 2, 3];
  parentPort.on('message', ({ id, raw }) => {
    if (raw.byteLength > 1000000) {
      Atomics.add(workerData, SEEN, 1);
      const kept = Atomics.add(workerData, KEPT, 1) + 1;
      if (kept > Atomics.load(workerData, MOST)) Atomics.store(workerData, MOST, kept);
      Atomics.wait(workerData, LET_GO, 0);
      Atomics.sub(workerData, KEPT, 1);
    }
    parentPort.postMessage({ kind: 'mail', id, mail: { subject: '' } });
  });
  parentPort.postMessage({ kind: 'ready' });
`;

describe('large messages', () => {
  it('are taken apart one at a time, and small ones do not wait for them', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(16));
    open(() => new Worker(KEEPING, { eval: true, execArgv: [], workerData: shared }));
    const large = Array.from({ length: 4 }, () => pool.parse(Buffer.alloc(1_000_001), 'wsp_1'));
    const small = Array.from({ length: 40 }, () => pool.parse(Buffer.from('small'), 'wsp_1'));
    await Promise.race(small);
    Atomics.store(shared, 2, 1);
    Atomics.notify(shared, 2);
    const outcomes = await Promise.all([...large, ...small]);
    expect(outcomes.every(({ kind }) => kind === 'mail')).toBe(true);
    expect(Atomics.load(shared, 1)).toBe(1);
  });

  it('leave the queue when their callers give up, so that repeated calls do not fill it', async () => {
    const shared = new Int32Array(new SharedArrayBuffer(16));
    open(() => new Worker(KEEPING, { eval: true, execArgv: [], workerData: shared }));
    const first = pool.parse(Buffer.alloc(1_000_001), 'wsp_1');
    const tooLate = new AbortController();
    const left = Array.from({ length: 20 }, () => pool.parse(Buffer.alloc(1_000_001), 'wsp_1', tooLate.signal));
    const last = pool.parse(Buffer.alloc(1_000_001), 'wsp_1');
    await pool.parse(Buffer.from('small'), 'wsp_1');
    tooLate.abort(new Error('too late'));
    Atomics.store(shared, 2, 1);
    Atomics.notify(shared, 2);
    const outcomes = await Promise.allSettled(left);
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
    expect(await Promise.all([first, last])).toMatchObject([{ kind: 'mail' }, { kind: 'mail' }]);
    expect(Atomics.load(shared, 3)).toBe(2);
  });
});

describe('workspaces', () => {
  const orderOf = async (asked: readonly (readonly [owner: string, raw: Buffer])[]) => {
    const order: string[] = [];
    const note = (owner: string) => () => order.push(owner);
    await Promise.all(asked.map(([owner, raw]) => pool.parse(raw, owner).then(note(owner))));
    return order;
  };
  const many = (owner: string, raw: Buffer) => Array.from({ length: 100 }, () => [owner, raw] as const);

  it('a message does not wait for all messages that another workspace sent before', async () => {
    // One thread answers in the order in which it is given messages; of two, the machine may hold one up.
    open(startObedient, 1);
    const order = await orderOf([...many('busy', Buffer.from('mail')), ['calm', Buffer.from('mail')]]);
    expect(order.indexOf('calm')).toBeLessThan(16);
  });

  it('nor does a large message wait for all large ones of another workspace', async () => {
    open(startObedient, 1);
    const large = Buffer.alloc(1_000_001);
    const order = await orderOf([...many('busy', large).slice(0, 8), ['calm', large]]);
    expect(order.indexOf('calm')).toBeLessThan(3);
  });
});

describe('parser threads', () => {
  it.each([
    ['hang', 'time'],
    ['eat', 'crash'],
    ['end', 'crash'],
  ] as const)('a message that makes its thread %s is refused, and every other is taken in', async (order, death) => {
    open();
    const orders = Array.from({ length: 60 }, (_, n) => (n === 20 ? order : `mail ${n}`));
    const outcomes = await Promise.all(orders.map(parse));
    expect(outcomes).toEqual(orders.map((given) => (given === order ? REFUSED : `took ${given}`)));
    expect(deaths).toEqual([death, death]);
    expect(await parse('afterwards')).toBe('took afterwards');
  });

  it('several killers at once are found out one by one', async () => {
    open();
    const orders = ['mail 1', 'end 1', 'mail 2', 'end 2', 'end 3', 'mail 3', 'end 4', 'mail 4'];
    const outcomes = await Promise.all(orders.map(parse));
    expect(outcomes).toEqual(orders.map((order) => (order.startsWith('end') ? REFUSED : `took ${order}`)));
  });

  it('a parser that does not start refuses no message: the caller hears of it and may try again', async () => {
    open(() => new Worker('process.exit(1)', { eval: true, execArgv: [] }));
    await expect(parse('mail')).rejects.toThrow('do not start');
  });

  it('waiting messages fail when the pool closes, and no call hangs', async () => {
    open();
    const waiting = parse('hang').catch((error: Error) => error.message);
    await pool.close();
    expect(await waiting).toContain('closed');
    await expect(parse('late')).rejects.toThrow('closed');
  });
});
