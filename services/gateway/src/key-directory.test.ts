import { beforeEach, describe, expect, it } from '@jest/globals';
import type { ApiKey, Workspace } from '@postroom/proto/postroom/v1/workspace';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createKeyDirectory, type KeyDirectory } from './key-directory.ts';

const key = { id: 'key_1' } as ApiKey;
const workspace = { id: 'wsp_1' } as Workspace;

let clock: ManualClock;
let keys: KeyDirectory;
let asked: number;
let answer: () => Promise<{ key?: ApiKey; workspace?: Workspace }>;

beforeEach(() => {
  clock = manualClock();
  asked = 0;
  answer = () => Promise.resolve({ key, workspace });
  const resolveKey = () => (asked++, answer());
  keys = createKeyDirectory({ workspace: { resolveKey } as never, clock, log: silentLog });
});
const resolve = async (hash = 'hash') => (await keys.resolve(hash, 'req_1'))?.key;
const unreachable = () => Promise.reject(new Error('unreachable'));

describe('the key directory', () => {
  it('asks once for many at once, and again after five seconds', async () => {
    await Promise.all(Array.from({ length: 20 }, () => resolve()));
    await clock.advance(4_999);
    await resolve();
    expect(asked).toBe(1);
    await clock.advance(1);
    await resolve();
    expect(asked).toBe(2);
  });

  it('feels a revocation after five seconds', async () => {
    await resolve();
    answer = () => Promise.resolve({ key: { ...key, revokedAt: 'now' }, workspace });
    await clock.advance(5_000);
    expect(await resolve()).toMatchObject({ revokedAt: 'now' });
  });

  it('believes "unknown" for a second only: the key may be about to be created', async () => {
    answer = () => Promise.resolve({});
    expect(await resolve()).toBeUndefined();
    answer = () => Promise.resolve({ key, workspace });
    expect(await resolve()).toBeUndefined();
    await clock.advance(1_000);
    expect(await resolve()).toBe(key);
  });

  it('made-up keys do not push out good ones', async () => {
    await resolve();
    answer = () => Promise.resolve({});
    for (let made = 0; made < 25_000; made++) await keys.resolve(`made-up-${made}`, 'req_1');
    const before = asked;
    expect(await resolve()).toBe(key);
    expect(asked).toBe(before);
  });
});

describe('while the workspace service is unreachable', () => {
  it('uses what it knows for less than a minute since it was last confirmed, and then refuses', async () => {
    await resolve();
    answer = unreachable;
    await clock.advance(55_000);
    expect(await resolve()).toBe(key);
    await clock.advance(1_000);
    await expect(resolve()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('does not let every request wait for it', async () => {
    await resolve();
    answer = unreachable;
    await clock.advance(10_000);
    for (let count = 0; count < 50; count++) await resolve();
    expect(asked).toBe(2);
    await clock.advance(1_000);
    await resolve();
    expect(asked).toBe(3);
  });

  it('refuses a key it has never seen', async () => {
    answer = unreachable;
    await expect(resolve('never-seen')).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });

  it('a key it knew, and that was asked for too late, is not believed from before', async () => {
    await resolve();
    answer = unreachable;
    await clock.advance(3_600_000);
    await expect(resolve()).rejects.toMatchObject({ code: 'INTERNAL_ERROR' });
  });
});
