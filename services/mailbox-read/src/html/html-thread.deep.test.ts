import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Worker } from 'node:worker_threads';
import { createSanitiser, type Sanitiser } from './html-thread.ts';

const call = { workspaceId: 'wsp_1', remainingMs: () => 60_000 };
const neighbour = { ...call, workspaceId: 'wsp_2' };
const long = (html: string) => html + ' '.repeat(10_000);
let started = 0;
let loadingMs = 0;
/** A cleaner that does what the html says: hang, fail, end, or answer. */
const startObedient = () => {
  started += 1;
  return new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', ({ html, asText }) => {
       if (html.startsWith('hang')) for (;;);
       if (html.startsWith('fail')) throw new Error('no');
       const result = asText ? { text: 'text ' + html.trim(), hidesText: false } : 'clean ' + html.trim();
       parentPort.postMessage({ answer: result });
       if (html.startsWith('last')) setTimeout(() => { throw new Error('later'); });
     });
     setTimeout(() => parentPort.postMessage('ready'), ${loadingMs});`,
    { eval: true, execArgv: [] },
  );
};

let sanitiser: Sanitiser;
afterEach(() => sanitiser.close());

describe('html that is cleaned in a thread', () => {
  it('comes out as it does without one', async () => {
    sanitiser = createSanitiser();
    const html = '<p onclick="x()">Hello</p><img src="http://track.example/p"><img src="cid:a">';
    const short = await sanitiser.clean(html, call);
    expect(short).toBe('<p>Hello</p><img src="cid:a" />');
    const repeated = await sanitiser.clean(html.repeat(500), call);
    expect(repeated).toBe(String(short).repeat(500));
  });

  it('is null where it hangs or fails, and that of everybody else comes out', async () => {
    sanitiser = createSanitiser({ start: startObedient, limitMs: 2_000 });
    const cleaned = await Promise.all(['a', 'hang', 'b', 'fail', 'c'].map((html) => sanitiser.clean(long(html), call)));
    expect(cleaned).toEqual(['clean a', null, 'clean b', null, 'clean c']);
  });

  it('comes out also after a thread that ended while it rested', async () => {
    sanitiser = createSanitiser({ start: startObedient });
    for (const html of ['last', 'a', 'last', 'b']) {
      expect(await sanitiser.clean(long(html), call)).toBe(`clean ${html}`);
    }
  });

  it('costs a thread once when it is too much, however often it is asked for', async () => {
    sanitiser = createSanitiser({ start: startObedient, limitMs: 2_000 });
    started = 0;
    const asked = ['hang', 'hang', 'hang'].map((html) => sanitiser.clean(long(html), call));
    expect(await Promise.all(asked)).toEqual([null, null, null]);
    expect(await sanitiser.clean(long('hang'), neighbour)).toBeNull();
    expect(started).toBe(1);
  });

  it('of a stranger comes out while another workspace has any number that hang', async () => {
    sanitiser = createSanitiser({ start: startObedient });
    const asked = ['hang', 'hang 2', 'hang 3'].map((html) => sanitiser.clean(long(html), call));
    const hanging = Promise.allSettled(asked);
    expect(await sanitiser.clean(long('a'), neighbour)).toBe('clean a');
    await sanitiser.close();
    expect((await hanging).map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected']);
  });

  it('408 QUERY_TIMEOUT when a thread is free or done only after the deadline, which says nothing of the html', async () => {
    sanitiser = createSanitiser({ start: startObedient });
    const late = { code: 'QUERY_TIMEOUT' };
    const within = (ms: number) => ({ ...call, remainingMs: () => ms });
    await expect(sanitiser.clean(long('a'), within(1))).rejects.toMatchObject(late);
    await expect(sanitiser.clean(long('hang'), within(200))).rejects.toMatchObject(late);
    expect(await sanitiser.clean(long('a'), call)).toBe('clean a');
    await expect(sanitiser.clean(long('hang'), within(200))).rejects.toMatchObject(late);
  });
});

describe('a thread that takes long to load its code', () => {
  beforeEach(() => void (loadingMs = 1_500));
  afterEach(() => void (loadingMs = 0));

  it('has as much time for the html as any other', async () => {
    sanitiser = createSanitiser({ start: startObedient, limitMs: 1_000 });
    expect(await sanitiser.clean(long('a'), call)).toBe('clean a');
  });

  it('is told as QUERY_TIMEOUT to a caller who has no time to wait for it, and serves the next one', async () => {
    sanitiser = createSanitiser({ start: startObedient, limitMs: 1_000 });
    started = 0;
    const hasty = sanitiser.clean(long('a'), { ...call, remainingMs: () => 100 });
    await expect(hasty).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    expect([await sanitiser.clean(long('a'), call), started]).toEqual(['clean a', 1]);
  });
});

it('408 QUERY_TIMEOUT where no thread can load its code, and the same html comes out once one can', async () => {
  let fails = true;
  const broken = () => new Worker('throw new Error("no memory")', { eval: true, execArgv: [] });
  sanitiser = createSanitiser({ start: () => (fails ? broken() : startObedient()) });
  await expect(sanitiser.clean(long('a'), call)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  fails = false;
  expect(await sanitiser.clean(long('a'), call)).toBe('clean a');
});

describe('the text of html that is read in a thread', () => {
  it('is that which is read without one, with whether it hides some', async () => {
    sanitiser = createSanitiser();
    const html = '<p>Hello</p><p style="display:none">no</p>';
    expect(await sanitiser.readText(html, call)).toEqual({ text: 'Hello', hidesText: true });
    const large = '<p>Hello</p>'.repeat(1_000);
    const text = Array.from({ length: 1_000 }, () => 'Hello').join('\n\n');
    expect(await sanitiser.readText(large, call)).toEqual({ text, hidesText: false });
  });

  it('is null where it hangs or fails, and so is its html', async () => {
    sanitiser = createSanitiser({ start: startObedient, limitMs: 2_000 });
    const read = ['a', 'hang', 'fail'].map((html) => sanitiser.readText(long(html), call));
    expect(await Promise.all(read)).toEqual([{ text: 'text a', hidesText: false }, null, null]);
    started = 0;
    expect([await sanitiser.clean(long('hang'), call), started]).toEqual([null, 0]);
  });
});
