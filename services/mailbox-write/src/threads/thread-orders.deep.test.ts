import { describe, expect, it } from '@jest/globals';
import { type AtCall, interleave, ordersOfTwo } from '../../../../test/support/interleavings.ts';
import {
  atOnce,
  type Meeting,
  meetings,
  memoryStore,
  takeIn,
  takeInAgain,
  threadsOf,
} from '../../../../test/mail/thread-meetings.ts';

async function play({ there, bring }: Meeting, schedule: (call: number) => number) {
  const memory = memoryStore();
  for (const message of there) await takeIn(memory, [message], atOnce);
  const calls = await interleave(
    bring.map((messages) => (at: AtCall) => takeIn(memory, messages, at)),
    schedule,
  );
  // An email that another process moved meanwhile keeps its mark.
  for (const messages of bring) await takeInAgain(memory, messages);
  expect([...memory.emails.values()].filter(({ isUnsettled }) => isUnsettled)).toEqual([]);
  return { calls, threads: threadsOf(memory) };
}

describe('two processes that take in one mailbox come to the same threads in every order of their store calls', () => {
  it.each(meetings)('$name', async (meeting) => {
    const { calls } = await play(meeting, (call) => call % 2);
    let orders = 0;
    for (const schedule of ordersOfTwo(calls)) {
      orders += 1;
      expect([orders, (await play(meeting, schedule)).threads]).toEqual([orders, meeting.threads]);
    }
    expect(orders).toBeGreaterThan(100);
  });
});
