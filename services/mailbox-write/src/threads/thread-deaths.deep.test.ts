import { describe, expect, it } from '@jest/globals';
import { type AtCall, dying, forEveryKillPoint, interleave } from '../../../../test/support/interleavings.ts';
import {
  atOnce,
  meetings,
  memoryStore,
  takeIn,
  takeInAgain,
  threadsOf,
} from '../../../../test/mail/thread-meetings.ts';

describe('messages of a process that died at any call come again and are in the same threads', () => {
  it.each(meetings)('$name', async ({ there, bring: [first = [], second = []], threads }) => {
    await forEveryKillPoint(async (deadly, when, schedule) => {
      const memory = memoryStore();
      for (const message of there) await takeIn(memory, [message], atOnce);
      const { at: mortal } = dying(deadly, when);
      const dies = (at: AtCall) => takeIn(memory, first, (name, call) => mortal(name, () => at(name, call)));
      const calls = await interleave([(at) => dies(at).catch(() => 0), (at) => takeIn(memory, second, at)], schedule);
      await takeInAgain(memory, first);
      expect([deadly, when, threadsOf(memory)]).toEqual([deadly, when, threads]);
      return calls;
    });
  });
});
