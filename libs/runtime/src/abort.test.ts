import { getEventListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { abortedByAny } from './abort.ts';

const reasonOf = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) return resolve(signal.reason);
    signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('work that several signals can abort', () => {
  it.each([0, 1])('is aborted with the reason of signal %i when that one is', async (which) => {
    const sources = [new AbortController(), new AbortController()];
    const work = abortedByAny(
      sources.map(({ signal }) => signal),
      reasonOf,
    );
    sources[which]?.abort(new Error('stop'));
    expect(await work).toMatchObject({ message: 'stop' });
  });

  it('is aborted from its beginning when one of them was before', async () => {
    const before = AbortSignal.abort(new Error('before'));
    expect(await abortedByAny([new AbortController().signal, before], reasonOf)).toMatchObject({ message: 'before' });
  });

  it('leaves no listener on a signal that lives on, however it ends', async () => {
    const { signal } = new AbortController();
    for (let time = 0; time < 100; time += 1) {
      await abortedByAny([signal], async () => undefined);
      await abortedByAny([signal], async () => Promise.reject(new Error('failed'))).catch(() => undefined);
    }
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});
