import { beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
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
  const find = async () => {
    asked++;
    const { key: found, workspace: home } = await answer();
    return found && home ? { key: found, workspace: home } : undefined;
  };
  keys = createKeyDirectory({ find, clock, log: silentLog });
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

  it('feels a revocation, too, when the clock is put back by an hour', async () => {
    await resolve();
    clock.set(clock.now() - 3_600_000);
    answer = () => Promise.resolve({ key: { ...key, revokedAt: 'now' }, workspace });
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

describe('keys that are made up', () => {
  const answers: ((found: Awaited<ReturnType<typeof answer>>) => void)[] = [];
  const flood = (count: number) =>
    Array.from({ length: count }, async (_, made) => keys.resolve(`made-up-${made}`, 'req_1'));
  const answerAll = (found: Awaited<ReturnType<typeof answer>>) => answers.splice(0).forEach((tell) => tell(found));
  beforeEach(() => {
    answers.length = 0;
    answer = () => new Promise((resolve) => answers.push(resolve));
  });

  it('are asked for 64 at a time, and past two thousand who wait 500 INTERNAL_ERROR with Retry-After', async () => {
    const outcomes = Promise.allSettled(flood(3_000));
    await clock.advance(0);
    expect(asked).toBe(64);
    while (answers.length > 0) {
      answerAll({});
      await clock.advance(0);
    }
    const refused = (await outcomes).filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect([refused.length, asked]).toEqual([3_000 - 2_064, 2_064]);
    expect(refused[0]?.reason).toMatchObject({ code: 'INTERNAL_ERROR', headers: { 'Retry-After': '1' } });
  });

  it('hold nobody up whose key is known', async () => {
    const first = keys.resolve('hash', 'req_1');
    await clock.advance(0);
    answerAll({ key, workspace });
    await first;
    void Promise.allSettled(flood(3_000));
    await clock.advance(0);
    expect(keys.resolve('hash', 'req_1')).toMatchObject({ key });
    await clock.advance(5_000);
    expect(keys.resolve('hash', 'req_1')).toMatchObject({ key });
    await clock.advance(56_000);
    const confirmed = keys.resolve('hash', 'req_1');
    answers.at(-1)?.({ key, workspace });
    expect(await confirmed).toMatchObject({ key });
  });

  it('are not asked for any more when they have waited longer than an answer may take', async () => {
    const outcomes = Promise.allSettled(flood(500));
    await clock.advance(0);
    await clock.advance(2_001);
    answerAll({});
    const refused = (await outcomes).filter(({ status }) => status === 'rejected');
    expect([refused.length, asked]).toEqual([500 - 64, 64]);
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

  it('lets one caller wait for it while it hangs: all others, of whatever key, take what is known', async () => {
    for (const hash of ['a', 'b', 'c']) await resolve(hash);
    await clock.advance(10_000);
    let fail = (_error: Error) => {};
    answer = () => new Promise((_resolve, reject) => (fail = reject));
    const waiting = keys.resolve('a', 'req_1');
    expect(waiting).toBeInstanceOf(Promise);
    expect(keys.resolve('a', 'req_2')).toMatchObject({ key });
    await clock.advance(251);
    const others = ['a', 'b', 'c'].map((hash) => keys.resolve(hash, 'req_3'));
    expect(others).toEqual(Array.from({ length: 3 }, () => ({ key, workspace })));
    fail(new Error('too late'));
    expect(await waiting).toMatchObject({ key });
    // After the failed lookup, no caller starts another one for a second.
    expect(keys.resolve('b', 'req_4')).toMatchObject({ key });
    expect(asked).toBe(4);
  });

  it('asks again for a key it has never seen when one pod does not say in time, and then for no more than a request has', async () => {
    const late = () => Promise.reject(new ApiError('QUERY_TIMEOUT'));
    const answers = [late, late];
    answer = () => (answers.shift() ?? (() => Promise.resolve({ key, workspace })))();
    expect(await resolve()).toBe(key);
    expect(asked).toBe(3);
    answer = late;
    await expect(resolve('other')).rejects.toMatchObject({ code: 'INTERNAL_ERROR', headers: { 'Retry-After': '1' } });
    expect(asked).toBe(6);
    // The stored answer is used, so no caller waits for a second request.
    await clock.advance(10_000);
    expect(await resolve()).toBe(key);
    expect(asked).toBe(7);
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
