import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createLocalPermits } from './local-permits.ts';

const bounds = { perMailbox: 2, perWorkspace: 3, total: 4 };
const of = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

describe('permits', () => {
  it('gives a mailbox, a workspace and all together no more permits than they may have', () => {
    const permits = createLocalPermits(bounds, manualClock());
    expect(permits.take(of('w', 'a'))).toBeDefined();
    expect(permits.take(of('w', 'a'))).toBeDefined();
    expect(permits.take(of('w', 'a'))).toBeUndefined();
    expect(permits.take(of('w', 'b'))).toBeDefined();
    expect(permits.take(of('w', 'c'))).toBeUndefined();
    expect(permits.atTheirBound()).toEqual({ mailboxIds: ['a'], workspaceIds: ['w'] });
    expect(permits.take(of('v', 'd'))).toBeDefined();
    expect(permits.take(of('u', 'e'))).toBeUndefined();
    expect(permits.isFull()).toBe(true);
    expect(permits.present()).toEqual(['w', 'v']);
  });

  it('gives a free permit to the longest waiter that may have it', async () => {
    const permits = createLocalPermits(bounds, manualClock());
    const leaves = [permits.take(of('w', 'a')), permits.take(of('w', 'a')), permits.take(of('v', 'b'))];
    const told: string[] = [];
    void permits.wait(of('w', 'a'), 1_000).then(() => told.push('first'));
    void permits.wait(of('w', 'a'), 1_000).then(() => told.push('second'));
    leaves[2]?.();
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    leaves[0]?.();
    leaves[0]?.();
    await new Promise(setImmediate);
    expect(told).toEqual(['first']);
    expect(permits.take(of('w', 'a'))).toBeUndefined();
  });

  it('refuses a waiter that waits too long, and keeps no permit for it', async () => {
    const clock = manualClock();
    const permits = createLocalPermits({ ...bounds, perMailbox: 1 }, clock);
    const leave = permits.take(of('w', 'a'));
    const late = permits.wait(of('w', 'a'), 1_000);
    await clock.advance(1_000);
    expect(await late).toBeUndefined();
    leave?.();
    expect(permits.present()).toEqual([]);
  });
});
