import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createTurns } from './turns.ts';

const bounds = { perMailbox: 2, perWorkspace: 3, total: 4 };
const of = (workspaceId: string, mailboxId: string) => ({ workspaceId, mailboxId });

describe('turns', () => {
  it('gives a mailbox, a workspace and all together no more places than they may have', () => {
    const turns = createTurns(bounds, manualClock());
    expect(turns.take(of('w', 'a'))).toBeDefined();
    expect(turns.take(of('w', 'a'))).toBeDefined();
    expect(turns.take(of('w', 'a'))).toBeUndefined();
    expect(turns.take(of('w', 'b'))).toBeDefined();
    expect(turns.take(of('w', 'c'))).toBeUndefined();
    expect(turns.atTheirBound()).toEqual({ mailboxIds: ['a'], workspaceIds: ['w'] });
    expect(turns.take(of('v', 'd'))).toBeDefined();
    expect(turns.take(of('u', 'e'))).toBeUndefined();
    expect(turns.isFull()).toBe(true);
    expect(turns.present()).toEqual(['w', 'v']);
  });

  it('gives the place that becomes free to who has waited longest and may have it', async () => {
    const turns = createTurns(bounds, manualClock());
    const leaves = [turns.take(of('w', 'a')), turns.take(of('w', 'a')), turns.take(of('v', 'b'))];
    const told: string[] = [];
    void turns.wait(of('w', 'a'), 1_000).then(() => told.push('first'));
    void turns.wait(of('w', 'a'), 1_000).then(() => told.push('second'));
    leaves[2]?.();
    await new Promise(setImmediate);
    expect(told).toEqual([]);
    leaves[0]?.();
    leaves[0]?.();
    await new Promise(setImmediate);
    expect(told).toEqual(['first']);
    expect(turns.take(of('w', 'a'))).toBeUndefined();
  });

  it('turns away who has waited too long, and keeps no place for him', async () => {
    const clock = manualClock();
    const turns = createTurns({ ...bounds, perMailbox: 1 }, clock);
    const leave = turns.take(of('w', 'a'));
    const late = turns.wait(of('w', 'a'), 1_000);
    await clock.advance(1_000);
    expect(await late).toBeUndefined();
    leave?.();
    expect(turns.present()).toEqual([]);
  });
});
