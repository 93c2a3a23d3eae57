import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { DeadLetters, GivenUpMessage, Subscription } from './bus.ts';
import { createInHand } from './kafka-in-hand.ts';
import { createKeyedQueue } from '@postroom/runtime/keyed-queue';

const COMMITTED_WITHIN_MS = 250;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A consumer with a partition of messages whose keys are these, and what is said to its broker. */
function consumerOf(onMessage: Subscription['onMessage'], add: DeadLetters['add'] = async () => undefined) {
  const said = {
    commits: [] as string[],
    resolved: [] as string[],
    paused: 0,
    resumed: 0,
    heartbeat: async () => undefined as void,
  };
  const inHand = createInHand({
    clock: systemClock,
    log: silentLog,
    queue: createKeyedQueue(() => 4),
    subscription: { group: 'g', topic: 'email.received', onMessage, retry: { attempts: 1 }, deadLetters: { add } },
  });
  inHand.join();
  const read = (keys: string[], from = 0) =>
    inHand.take({
      batch: {
        topic: 'email.received',
        partition: 0,
        messages: keys.map((key, at) => ({
          offset: `${from + at}`,
          key: Buffer.from(key),
          value: Buffer.from(`${from + at}`),
          headers: {},
          timestamp: '0',
          attributes: 0,
        })),
      },
      resolveOffset: (offset: string) => void said.resolved.push(offset),
      heartbeat: () => said.heartbeat(),
      commitOffsetsIfNecessary: async ({ topics }: { topics: { partitions: { offset: string }[] }[] }) => {
        said.commits.push(topics[0]!.partitions[0]!.offset);
      },
      pause: () => {
        said.paused += 1;
        return () => void (said.resumed += 1);
      },
    } as unknown as EachBatchPayload);
  return { inHand, read, said };
}

/** Handlers that end when the test says so. */
function gates() {
  const open = new Map<string, () => void>();
  const onMessage: Subscription['onMessage'] = ({ value }, { signal }) =>
    new Promise((resolve, reject) => {
      open.set(Buffer.from(value).toString(), resolve);
      signal.addEventListener('abort', () => reject(signal.reason as Error));
    });
  return { open, onMessage, finish: (at: number) => open.get(String(at))?.() };
}

describe('the messages in hand of a consumer', () => {
  it('lets more be read while one is slow, and commits no further than what is done without a gap', async () => {
    const { open, onMessage, finish } = gates();
    const { read, said } = consumerOf(onMessage);
    await read(['a', 'b', 'c']);
    await read(['d'], 3);
    expect([[...open.keys()], said.resolved]).toEqual([
      ['0', '1', '2', '3'],
      ['2', '3'],
    ]);
    finish(1);
    finish(3);
    await jest.advanceTimersByTimeAsync(COMMITTED_WITHIN_MS);
    expect(said.commits).toEqual([]);
    finish(0);
    await jest.advanceTimersByTimeAsync(COMMITTED_WITHIN_MS);
    expect(said.commits).toEqual(['2']);
    finish(2);
    await jest.advanceTimersByTimeAsync(COMMITTED_WITHIN_MS);
    expect(said.commits).toEqual(['2', '4']);
  });

  it('is finished where it was begun before the partitions go, the rest is left, and nothing is taken until the next join', async () => {
    const { open, onMessage, finish } = gates();
    const { inHand, read, said } = consumerOf(onMessage);
    await read(['a', 'a', 'b']);
    let left = false;
    const leaving = inHand.leave().then(() => (left = true));
    finish(2);
    await read(['c'], 3);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([left, [...open.keys()]]).toEqual([false, ['0', '2']]);
    finish(0);
    await leaving;
    expect([said.commits, said.resolved]).toEqual([['1'], ['2']]);
    inHand.join();
    await read(['a'], 1);
    expect([...open.keys()]).toEqual(['0', '2', '1']);
  });

  it('is aborted when the grace is over, and when the broker says at a heartbeat that others have it', async () => {
    for (const [withinMs, type] of [
      [20_000, 'REBALANCE_IN_PROGRESS'],
      [1_000, 'UNKNOWN_MEMBER_ID'],
    ] as const) {
      const { onMessage } = gates();
      const { inHand, read, said } = consumerOf(onMessage);
      said.heartbeat = () => Promise.reject(Object.assign(new Error(type), { type }));
      await read(['a']);
      let left = false;
      void inHand.leave().then(() => (left = true));
      await jest.advanceTimersByTimeAsync(withinMs - 1);
      expect(left).toBe(false);
      await jest.advanceTimersByTimeAsync(2);
      expect([left, said.commits]).toEqual([true, []]);
    }
  });

  it('that was lost is committed by nobody here', async () => {
    const { onMessage, finish } = gates();
    const { inHand, read, said } = consumerOf(onMessage);
    await read(['a', 'b']);
    finish(0);
    await jest.advanceTimersByTimeAsync(0);
    inHand.lose();
    await inHand.leave();
    await jest.advanceTimersByTimeAsync(COMMITTED_WITHIN_MS);
    expect(said.commits).toEqual([]);
  });

  it('is bounded: with thousands behind a slow one the partition is paused, and read again when it is done', async () => {
    const { onMessage, finish } = gates();
    const { read, said } = consumerOf((message, work) =>
      Buffer.from(message.value).toString() === '0' ? onMessage(message, work) : Promise.resolve(),
    );
    const many = Array.from({ length: 2_500 }, (_, at) => `k${at}`);
    let returned = false;
    void read(many).then(() => (returned = true));
    await jest.advanceTimersByTimeAsync(999);
    expect([returned, said.paused]).toEqual([false, 0]);
    await jest.advanceTimersByTimeAsync(2);
    expect([returned, said.paused, said.resumed]).toEqual([true, 1, 0]);
    finish(0);
    await jest.advanceTimersByTimeAsync(0);
    expect(said.resumed).toBe(1);
  });

  it('of a partition that goes while it is paused is read again from the next join on', async () => {
    const { onMessage } = gates();
    const { inHand, read, said } = consumerOf(onMessage);
    void read(Array.from({ length: 2_500 }, () => 'a'));
    await jest.advanceTimersByTimeAsync(1_001);
    expect([said.paused, said.resumed]).toEqual([1, 0]);
    void inHand.leave();
    expect(said.resumed).toBe(1);
  });

  it('is brought again while not even its dead letter can be written', async () => {
    const tried: string[] = [];
    let isUnavailable = true;
    const dead: GivenUpMessage[] = [];
    const add: DeadLetters['add'] = async (message) => {
      if (isUnavailable) throw new Error('no database');
      dead.push(message);
    };
    const { read, said } = consumerOf(async ({ value }) => {
      tried.push(Buffer.from(value).toString());
      throw new Error('fails');
    }, add);
    await read(['a']);
    await jest.advanceTimersByTimeAsync(1_500);
    expect([tried, said.commits]).toEqual([['0', '0'], []]);
    isUnavailable = false;
    await jest.advanceTimersByTimeAsync(1_500);
    expect([dead.length, said.commits]).toEqual([1, ['1']]);
  });
});
