import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import { manualClock } from '@postroom/runtime/clock';
import { randomIds } from '@postroom/runtime/ids';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { type AtCall, ordersOfTwo, interleave, watched } from '../../../../test/support/interleavings.ts';
import { createPermitStore, type PermitStore } from './permit-store.ts';
import { createSendPermits, type SendPermits } from './send-permits.ts';
import { memoryPermits } from './memory-permits.test-support.ts';
import type { SendPermit } from './held-permit.ts';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
const stores: Record<string, PermitStore> = { 'in memory': memoryPermits() };
beforeAll(async () => {
  const { collections } = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  stores['in the database'] = createPermitStore(collections);
});
afterAll(() => context.lifecycle.close());

const LEASE_MS = 60_000;
const MOST = 3;
const MINUTE_MS = 60_000;

/** Processes that send for one mailbox, each with its own memory, by one clock. */
function world(name: string) {
  const store = stores[name] as PermitStore;
  const clock = manualClock();
  const whose = { workspaceId: 'w', mailboxId: randomIds('mbx') };
  const bounds = { perMailbox: MOST, perWorkspace: 50, total: 50 };
  const pod = (at: AtCall = (_, call) => call()): SendPermits => {
    const deps = { store: watched(store, at), context: { clock, ids: randomIds, log: silentLog }, leaseMs: LEASE_MS };
    return createSendPermits(deps, { bounds, perMinute: 30 });
  };
  const many = async (take: () => Promise<SendPermit | undefined>, most = MOST): Promise<SendPermit[]> => {
    const permits: SendPermit[] = [];
    while (permits.length < most) {
      const permit = await take();
      if (!permit) break;
      permits.push(permit);
    }
    return permits;
  };
  const within = (one: SendPermits) => () => one.within(whose, 0);
  /** Sends messages that no caller waits for, one after the other, until the mailbox has no permit. */
  const sendAll = async (one: SendPermits): Promise<number> => {
    for (let sent = 0; ; sent += 1) {
      const permit = await one.now(whose);
      if (!permit) return sent;
      permit.use();
      permit.note(true);
      await permit.leave();
    }
  };
  return { clock, whose, pod, many, within, sendAll };
}

describe.each(['in memory', 'in the database'])('permits of several processes, kept %s', (name) => {
  it('are together no more than a mailbox may have, in every order of what they ask of the store', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { pod, many, within } = world(name);
      const calm = pod();
      const given: SendPermit[][] = [[], []];
      let isOver = false;
      const processes = [0, 1].map((n) => async (at: AtCall) => {
        const one = pod((name, call) => (isOver ? call() : at(name, call)));
        given[n] = await many(within(one), 2);
      });
      const calls = await interleave(processes, schedule);
      isOver = true;
      expect(given.flat()).toHaveLength(MOST);
      expect(await many(within(calm))).toEqual([]);
      await Promise.all(given.flat().map((permit) => permit.leave()));
      expect(await many(within(calm))).toHaveLength(MOST);
      return calls;
    };
    const calls = await play((call) => call % 2);
    // The database is asked in some of them, evenly from all.
    const orders = [...ordersOfTwo(calls)].filter((_, n) => name === 'in memory' || n % 4 === 0);
    for (const order of orders) await play(order);
  });

  it('are free again by time where their process has died, and not while it says that it is at it', async () => {
    const { clock, pod, many, within } = world(name);
    const dead = await many(within(pod()));
    expect(dead).toHaveLength(MOST);
    await clock.advance(LEASE_MS - 1);
    await dead[0]?.extend();
    expect(await many(within(pod()))).toEqual([]);
    await clock.advance(1);
    expect(await many(within(pod()))).toHaveLength(MOST - 1);
    await clock.advance(LEASE_MS);
    expect(await many(within(pod()))).toHaveLength(MOST);
  });

  it('let a mailbox send no faster than the pace; what is not used is given back', async () => {
    const { clock, whose, pod, sendAll } = world(name);
    const [one, other] = [pod(), pod()];
    const unused = await one.now(whose);
    await unused?.leave();
    for (let sent = 0; sent < 10; sent += 1) {
      const permit = await other.now(whose);
      permit?.use();
      await permit?.leave();
    }
    expect((await sendAll(one)) + (await sendAll(other))).toBe(21);
    await clock.advance(4_000);
    expect((await sendAll(other)) + (await sendAll(one))).toBe(2);
    await clock.advance(60 * 60_000);
    expect((await sendAll(one)) + (await sendAll(other))).toBe(31);
  });

  it('rest everywhere while the server of the mailbox is not there, longer each time; a caller may ask it', async () => {
    const { clock, whose, pod } = world(name);
    const pods = [pod(), pod()] as const;
    const lengths: number[] = [];
    for (let n = 0; n < 8; n += 1) {
      const permit = await pods[n % 2]?.now(whose);
      permit?.note(false);
      await permit?.leave();
      const began = clock.now();
      const other = pods[(n + 1) % 2] as SendPermits;
      await (await other.within(whose, 0))?.leave();
      for (;;) {
        const again = await other.now(whose);
        await again?.leave();
        if (again) break;
        await clock.advance(5_000);
      }
      lengths.push((clock.now() - began) / 1_000);
    }
    expect(lengths).toEqual([5, 10, 20, 40, 80, 160, 300, 300]);
    const permit = await pods[0].within(whose, 0);
    permit?.note(true);
    await permit?.leave();
    expect(await pods[1].now(whose)).toBeDefined();
  });

  it('are there again some minutes after a clock that was a day ahead is put right', async () => {
    const { clock, whose, pod, many, within, sendAll } = world(name);
    const one = pod();
    clock.set(clock.now() + 24 * 60 * MINUTE_MS);
    await sendAll(one);
    const [failing] = await many(within(one), 1);
    failing?.note(false);
    await failing?.leave();
    expect(await many(within(pod()))).toHaveLength(MOST);
    clock.set(clock.now() - 24 * 60 * MINUTE_MS);
    expect(one.excepted().mailboxIds).toEqual([]);
    expect(await one.now(whose)).toBeUndefined();
    clock.set(clock.now() + 11 * MINUTE_MS);
    expect(one.excepted().mailboxIds).toEqual([]);
    expect(await one.now(whose)).toBeDefined();
  });

  it('go to a caller of one process before what leaves by itself through another', async () => {
    const { clock, whose, pod, many } = world(name);
    const [flooding, calling] = [pod(), pod()];
    const flood = await many(() => flooding.now(whose));
    const waiting = calling.within(whose, 5_000);
    while (clock.sleeping < 1) await new Promise(setImmediate);
    await flood[0]?.leave();
    expect(await flooding.now(whose)).toBeUndefined();
    await clock.advance(250);
    expect(await waiting).toBeDefined();
  });
});
