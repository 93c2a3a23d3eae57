import { describe, expect, it } from '@jest/globals';
import { createReadiness } from './readiness.ts';

describe('readiness', () => {
  it('is ready without checks, and names each check that fails', async () => {
    const readiness = createReadiness();
    expect(await readiness.check()).toEqual({ ready: true, failed: [] });
    readiness.add('database', () => Promise.reject(new Error('down')));
    readiness.add('bus', () => {});
    readiness.add('schema', () => {
      throw new Error('old');
    });
    expect(await readiness.check()).toEqual({ ready: false, failed: ['database', 'schema'] });
  });

  it('takes a check that does not answer as failed', async () => {
    const readiness = createReadiness(10);
    readiness.add('hangs', () => new Promise(() => {}));
    expect(await readiness.check()).toEqual({ ready: false, failed: ['hangs'] });
  });

  it('is off for good once draining, and tells who listens, once', async () => {
    const readiness = createReadiness();
    let told = 0;
    readiness.onDrain(() => (told += 1));
    readiness.drain();
    readiness.drain();
    expect(await readiness.check()).toEqual({ ready: false, failed: ['draining'] });
    expect(told).toBe(1);
  });
});
