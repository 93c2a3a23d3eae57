import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { EachBatchPayload } from 'kafkajs';
import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { BusMessage, Subscription } from './bus.ts';
import { workOff } from './kafka-batch.ts';
import { createKeyedQueue } from './keyed-queue.ts';

/** More than the time between two beats, on which what is done is committed. */
const BEATS_MS = 3_000;

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** A batch of messages of one key, as kafkajs hands it over, and what is said to it. */
function batchOf(count: number, commit: () => Promise<void> = async () => undefined) {
  const resolved: string[] = [];
  const messages = Array.from({ length: count }, (_, at) => ({
    offset: `${at}`,
    key: Buffer.from('k'),
    value: Buffer.from(`${at}`),
    headers: {},
    timestamp: '0',
    attributes: 0,
  }));
  const payload = {
    batch: { partition: 0, messages },
    resolveOffset: (offset: string) => void resolved.push(offset),
    heartbeat: async () => undefined,
    commitOffsetsIfNecessary: commit,
    uncommittedOffsets: () => ({ topics: [] }),
  } as unknown as EachBatchPayload;
  return { payload, resolved };
}

function depsOf(onMessage: Subscription['onMessage'], dead: BusMessage[] = []) {
  return {
    clock: systemClock,
    log: silentLog,
    queue: createKeyedQueue(() => 4),
    subscription: { group: 'g', topic: 'email.received' as const, onMessage },
    toDeadLetter: async (message: BusMessage) => void dead.push(message),
    underWay: new Set<never>(),
    closing: new AbortController().signal,
  };
}

describe('a batch from Kafka', () => {
  it('resolves an offset only once its handler is done, however many beats that takes', async () => {
    const { payload, resolved } = batchOf(3);
    const handled: string[] = [];
    const doneBefore: string[][] = [];
    const working = workOff(
      {
        ...payload,
        resolveOffset: (offset) => {
          doneBefore.push([...handled]);
          payload.resolveOffset(offset);
        },
      },
      depsOf(async ({ value }) => {
        await systemClock.sleep(BEATS_MS);
        handled.push(Buffer.from(value).toString());
      }),
    );
    await jest.advanceTimersByTimeAsync(3 * BEATS_MS + 10);
    await working;
    expect(resolved.at(-1)).toBe('2');
    for (const [at, offset] of resolved.entries()) expect(doneBefore[at]).toContain(offset);
  });

  it('that was lost in the middle resolves nothing of what was not handled', async () => {
    const { payload, resolved } = batchOf(2);
    const closing = new AbortController();
    const deps = { ...depsOf(() => new Promise(() => undefined)), closing: closing.signal };
    const working = workOff(payload, deps);
    await jest.advanceTimersByTimeAsync(BEATS_MS);
    for (const stop of deps.underWay as Iterable<{ lose: (reason: Error) => void }>) stop.lose(new Error('lost'));
    expect(resolved).toEqual([]);
    void working;
  });

  it('throws the cause of a commit that failed: wrapped, kafkajs would take it for final and never read again', async () => {
    const cause = Object.assign(new Error('the coordinator is not aware of this member'), {
      type: 'UNKNOWN_MEMBER_ID',
    });
    const wrapped = new Error('not retriable', { cause });
    const { payload } = batchOf(1, () => Promise.reject(wrapped));
    const untilLost: Subscription['onMessage'] = (_message, { signal }) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    const outcome = expect(workOff(payload, depsOf(untilLost))).rejects.toBe(cause);
    await jest.advanceTimersByTimeAsync(BEATS_MS);
    await outcome;
  });
});
