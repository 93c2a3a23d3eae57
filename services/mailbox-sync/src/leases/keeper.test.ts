import { describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { startKeeper, type Keeper } from './keeper.ts';
import { memoryLeases } from './memory-leases.test-support.ts';
import type { Lease } from './lease.ts';

const LEASE_MS = 20_000;
const MAILBOXES = ['mbx_1', 'mbx_2', 'mbx_3'].map((_id) => ({ _id, workspaceId: 'wsp' }));

/** Lets loops that have just begun fall asleep first. */
async function pass(clock: ManualClock, ms: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(ms);
}

/** Processes that share the same leases; what each writes is noted with the epoch it writes under. */
function world(clock: ManualClock, active = MAILBOXES) {
  const leases = memoryLeases();
  const keeping = new Map<string, Map<string, Lease>>();
  const signs = new Map([
    ['mbx_1', 4_000],
    ['mbx_2', 3_000],
    ['mbx_3', 1_000],
  ]);
  const holds = new Map<string, () => boolean>();
  const running = new Set<Lease>();
  /** Mailboxes whose sync takes for ever to stop. */
  const stuck = new Set<string>();
  const start = (owner: string, maxMailboxes = 10): Keeper => {
    const mine = new Map<string, Lease>();
    keeping.set(owner, mine);
    return startKeeper({
      leases,
      syncRequests: leases,
      mailboxes: {
        everyConnected: async () => active,
        everyInactive: async (ids) => ids.filter((id) => !active.some(({ _id }) => _id === id)),
      },
      newlyPending: async () => [],
      keep: (lease, isHeld) => {
        mine.set(lease.mailboxId, lease);
        running.add(lease);
        holds.set(`${owner} ${lease.mailboxId}`, isHeld);
        return {
          scan: () => undefined,
          writeBack: () => undefined,
          lastSign: () => ({ at: signs.get(lease.mailboxId) ?? 0, isConnected: lease.mailboxId !== 'mbx_3' }),
          ended: new Promise(() => undefined),
          stop: async () => {
            if (stuck.has(lease.mailboxId)) await new Promise(() => undefined);
            mine.delete(lease.mailboxId);
            running.delete(lease);
          },
        };
      },
      owner,
      leaseMs: LEASE_MS,
      maxMailboxes,
      claimsPerSecond: 10,
      context: { clock, log: silentLog },
    });
  };
  const kept = () => Object.fromEntries([...keeping].map(([owner, mine]) => [owner, [...mine.keys()].sort()]));
  return { leases, start, kept, keeping, holds, running, stuck };
}

describe('mailboxes between processes', () => {
  it('are each kept by one, and by as many as have room', async () => {
    const clock = manualClock();
    const { start, kept } = world(clock);
    const keepers = [start('one', 2), start('two', 2)];
    await pass(clock, 10_000);
    const all = Object.values(kept()).flat();
    expect(all.toSorted()).toEqual(['mbx_1', 'mbx_2', 'mbx_3']);
    expect(keepers.map((keeper) => keeper.held())).toEqual([2, 1]);
    await Promise.all(keepers.map((keeper) => keeper.close()));
  });

  it('go to another within 30 seconds when theirs dies, under a higher epoch', async () => {
    const clock = manualClock();
    const { leases, start, kept, keeping } = world(clock);
    start('dead');
    await pass(clock, 5_000);
    expect(kept()['dead']).toHaveLength(3);
    leases.cutOff('dead');
    const other = start('other');
    await pass(clock, 30_000);
    expect(kept()['other']).toEqual(['mbx_1', 'mbx_2', 'mbx_3']);
    expect([...(keeping.get('other')?.values() ?? [])].map(({ epoch }) => epoch)).toEqual([2, 2, 2]);
    await other.close();
  });

  it('are let go by a process that stood still for longer than its lease, once it wakes', async () => {
    const clock = manualClock();
    const { leases, start, kept } = world(clock);
    start('asleep');
    await pass(clock, 5_000);
    leases.cutOff('asleep');
    const other = start('other');
    await pass(clock, 30_000);
    leases.letIn('asleep');
    await pass(clock, 10_000);
    expect(kept()).toEqual({ asleep: [], other: ['mbx_1', 'mbx_2', 'mbx_3'] });
    await other.close();
  });

  it('are kept again when the answer to their claim was lost', async () => {
    const clock = manualClock();
    const { leases, start, kept } = world(clock);
    const { claim } = leases;
    leases.claim = async (...asked) => {
      leases.claim = claim;
      await claim(...asked);
      throw new Error('the connection was closed');
    };
    const keeper = start('one');
    await pass(clock, 60_000);
    expect(kept()).toEqual({ one: ['mbx_1', 'mbx_2', 'mbx_3'] });
    await keeper.close();
  });

  it('count as lost once their leases have run out, though nobody has said so', async () => {
    const clock = manualClock();
    const { leases, start, kept, holds } = world(clock);
    start('asleep');
    await pass(clock, 5_000);
    const isHeld = () => [...holds.values()].map((holdsIt) => holdsIt());
    expect(isHeld()).toEqual([true, true, true]);
    leases.cutOff('asleep');
    await pass(clock, LEASE_MS);
    expect(kept()['asleep']).toHaveLength(3);
    expect(isHeld()).toEqual([false, false, false]);
  });

  it('are synchronized once after their leases ran out while nobody reached the database', async () => {
    const clock = manualClock();
    const { leases, start, running, holds } = world(clock);
    const keeper = start('one');
    await pass(clock, 5_000);
    leases.cutOff('one');
    await pass(clock, 2 * LEASE_MS);
    leases.letIn('one');
    await pass(clock, LEASE_MS);
    expect([...running].map(({ mailboxId }) => mailboxId).toSorted()).toEqual(['mbx_1', 'mbx_2', 'mbx_3']);
    expect([...holds.values()].map((holdsIt) => holdsIt())).toEqual([true, true, true]);
    await keeper.close();
  });

  it('are kept while one that another process has by now takes long to stop', async () => {
    const clock = manualClock();
    const { leases, start, keeping, holds, stuck } = world(clock);
    const keeper = start('one');
    await pass(clock, 5_000);
    stuck.add('mbx_1');
    const lost = keeping.get('one')?.get('mbx_1');
    if (lost) await leases.release(lost, 'one', false);
    await leases.claim('mbx_1', 'other', clock.date(), new Date(clock.now() + 10 * LEASE_MS));
    await pass(clock, 3 * LEASE_MS);
    const isHeld = MAILBOXES.map(({ _id }) => holds.get(`one ${_id}`)?.());
    expect([isHeld, await leases.findFree(clock.date(), 10)]).toEqual([[false, true, true], []]);
    expect(keeper.held()).toBe(2);
  });

  it('tell for how long the one was silent that was silent the longest', async () => {
    const clock = manualClock(0);
    const { start } = world(clock);
    const keeper = start('one');
    expect(keeper.stalestMs(true)).toBe(0);
    await pass(clock, 5_000);
    expect([keeper.stalestMs(true), keeper.stalestMs(false)]).toEqual([2_000, 4_000]);
    await keeper.close();
  });

  it('are free at once when theirs closes', async () => {
    const clock = manualClock();
    const { start, kept } = world(clock);
    const first = start('first');
    await pass(clock, 5_000);
    await first.close();
    const second = start('second');
    await pass(clock, 2_000);
    expect(kept()).toEqual({ first: [], second: ['mbx_1', 'mbx_2', 'mbx_3'] });
    await second.close();
  });

  it('are left alone once they are disconnected, and kept again once they are not', async () => {
    const clock = manualClock();
    const active = [...MAILBOXES];
    const { start, kept } = world(clock, active);
    const keeper = start('one');
    await pass(clock, 5_000);
    const [gone] = active.splice(0, 1);
    await pass(clock, 60_000);
    expect(kept()['one']).toEqual(['mbx_2', 'mbx_3']);
    if (gone) active.push(gone);
    await pass(clock, 5_000);
    expect(kept()['one']).toEqual(['mbx_1', 'mbx_2', 'mbx_3']);
    await keeper.close();
  });
});
