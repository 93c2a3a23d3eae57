import { afterEach, describe, expect, it } from '@jest/globals';
import { Worker } from 'node:worker_threads';
import { createSanitiser, type Sanitiser } from './sanitiser.ts';

const call = { remainingMs: () => 10_000 };
const long = (html: string) => html + ' '.repeat(10_000);
/** A cleaner that does what the html says: hang, fail, or answer. */
const startObedient = () =>
  new Worker(
    `const { parentPort } = require('node:worker_threads');
     parentPort.on('message', (html) => {
       if (html.startsWith('hang')) for (;;);
       if (html.startsWith('fail')) throw new Error('no');
       parentPort.postMessage('clean ' + html.trim());
     });`,
    { eval: true, execArgv: [] },
  );

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
    sanitiser = createSanitiser(startObedient, 300);
    const cleaned = await Promise.all(['a', 'hang', 'b', 'fail', 'c'].map((html) => sanitiser.clean(long(html), call)));
    expect(cleaned).toEqual(['clean a', null, 'clean b', null, 'clean c']);
  });

  it('408 QUERY_TIMEOUT when the turn comes after the deadline', async () => {
    sanitiser = createSanitiser(startObedient);
    await expect(sanitiser.clean(long('a'), { remainingMs: () => 1 })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
  });
});
