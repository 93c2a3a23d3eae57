import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createInHand, type InHand } from './kafka-in-hand.ts';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed + 1);
const MESSAGES = 40;
const KEYS = 4;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

function randomOf(seed: number) {
  let state = seed * 2_654_435_761;
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A partition on a broker, read by one consumer after the other: each begins where the last commit says. */
function partitionOf(random: (below: number) => number) {
  const keys = Array.from({ length: MESSAGES }, () => `k${random(KEYS)}`);
  const handled: number[] = [];
  const atWork = new Map<number, { finish: () => void; fail: (error: Error) => void }>();
  const wrong: string[] = [];
  const broker = { position: 0, committed: 0, isUnavailable: false };
  const commit = async (next: number): Promise<void> => {
    if (broker.isUnavailable) throw new Error('the broker is unavailable');
    for (let at = 0; at < next; at += 1) if (!handled.includes(at)) wrong.push(`${at} skipped by a commit of ${next}`);
    broker.committed = next;
  };
  const open = (): InHand => {
    const inHand = createInHand({
      clock: systemClock,
      log: silentLog,
      queue: createKeyedQueue(() => 3),
      subscription: {
        group: 'g',
        topic: 'email.received',
        retry: { attempts: 99, firstDelayMs: 5, maxDelayMs: 20 },
        onMessage: ({ key, value }, { signal }) =>
          new Promise((resolve, reject) => {
            const at = Number(Buffer.from(value).toString());
            if ([...atWork.keys()].some((other) => keys[other] === key)) wrong.push(`two of ${key} at once`);
            const end = (then: () => void) => () => {
              atWork.delete(at);
              then();
            };
            const finish = end(() => resolve(void handled.push(at)));
            atWork.set(at, { finish, fail: (error) => end(() => reject(error))() });
            signal.addEventListener(
              'abort',
              end(() => reject(signal.reason as Error)),
            );
          }),
      },
    });
    broker.position = broker.committed;
    inHand.join();
    return inHand;
  };
  const read = (inHand: InHand, count: number) => {
    const positions = keys.map((_key, at) => at).slice(broker.position, broker.position + count);
    const messages = positions.map((at) => {
      return { offset: `${at}`, key: Buffer.from(keys[at]!), value: Buffer.from(`${at}`), headers: {}, timestamp: '0' };
    });
    return inHand.take({
      batch: { topic: 'email.received', partition: 0, messages },
      resolveOffset: (offset: string) => void (broker.position = Number(offset) + 1),
      heartbeat: async () => undefined,
      commitOffsetsIfNecessary: ({ topics }: { topics: { partitions: { offset: string }[] }[] }) =>
        commit(Number(topics[0]!.partitions[0]!.offset)),
      pause: () => () => undefined,
    } as unknown as EachBatchPayload);
  };
  return { keys, handled, atWork, wrong, broker, open, read };
}

type Simulated = ReturnType<typeof partitionOf>;

/** It leaves, with what it has begun ending in any order; it loses its place; or its process dies, and all with it. */
async function disconnect(run: Simulated, inHand: InHand, how: number): Promise<void> {
  if (how === 0) {
    const leaving = inHand.leave();
    while (run.atWork.size > 0) {
      [...run.atWork.values()].at(-1)?.finish();
      await jest.advanceTimersByTimeAsync(1);
    }
    await jest.advanceTimersByTimeAsync(5_000);
    return leaving;
  }
  if (how === 2) run.broker.isUnavailable = true;
  inHand.lose();
  await inHand.leave();
  run.broker.isUnavailable = false;
}

describe('a partition, whatever happens to those who read it', () => {
  it.each(SEEDS)(
    'is handled whole and each key in its order, and no commit skips a message (seed %d)',
    async (seed) => {
      const random = randomOf(seed);
      const run = partitionOf(random);
      let inHand = run.open();
      for (let step = 0; run.broker.committed < MESSAGES; step += 1) {
        const underWay = [...run.atWork.values()];
        const one = underWay[random(underWay.length)];
        const chance = random(20);
        if (step < 300 && chance === 0) {
          await disconnect(run, inHand, random(3));
          inHand = run.open();
        } else if (step < 300 && chance === 1) one?.fail(new Error('fails this time'));
        else if (step < 300 && chance === 2) run.broker.isUnavailable = !run.broker.isUnavailable;
        else if (chance < 8) await run.read(inHand, 1 + random(5));
        else one?.finish();
        if (step >= 300) run.broker.isUnavailable = false;
        await jest.advanceTimersByTimeAsync(random(4) === 0 ? 250 : 1);
        if (step > 5_000) throw new Error(`stands at ${run.broker.committed}`);
      }
      await inHand.leave();
      expect(run.wrong).toEqual([]);
      for (const key of new Set(run.keys)) {
        const firsts = [...new Set(run.handled.filter((at) => run.keys[at] === key))];
        expect(firsts).toEqual(firsts.toSorted((a, b) => a - b));
      }
      expect(new Set(run.handled).size).toBe(MESSAGES);
    },
  );
});
