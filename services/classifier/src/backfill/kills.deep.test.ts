import { describe, expect, it } from '@jest/globals';
import {
  type AtCall,
  dying,
  ordersOfTwo,
  interleave,
  watched,
  forEveryKillPoint,
  type Schedule,
} from '../../../../test/support/interleavings.ts';
import { type BackfillWorld, backfillWorld, recover, work } from './backfill-world.test-support.ts';

/** A classifier whose every call goes through `at`. */
const classifier = (world: BackfillWorld, at: AtCall) => work(world, (store) => watched(store, at));

function fiveEmails(): { world: BackfillWorld; emails: string[] } {
  const world = backfillWorld();
  return { world, emails: world.add('bfj_1', 'wsp_1', 5) };
}

function expectComplete(world: BackfillWorld, emails: string[]): void {
  expect([...world.labelled].toSorted()).toEqual(emails);
  expect(world.job()).toMatchObject({ state: 'completed', done: 5, total: 5, cause: null });
}

async function countCalls(): Promise<number> {
  const { world } = fiveEmails();
  let calls = 0;
  await classifier(world, (_name, call) => ((calls += 1), call()));
  return calls;
}

describe('a backfill', () => {
  it.each(['before', 'after'] as const)(
    'goes on at its position where its classifier is killed %s any of its calls',
    async (when) => {
      const calls = await countCalls();
      expect(calls).toBeGreaterThan(15);
      for (let deadly = 1; deadly <= calls; deadly += 1) {
        const { world, emails } = fiveEmails();
        await classifier(world, dying(deadly, when).at);
        const { done } = world.job();
        world.asked = [];
        await recover(world);
        expect(world.asked).toEqual(emails.slice(done));
        expectComplete(world, emails);
      }
    },
  );

  it('is done once by two classifiers, in every order of their calls', async () => {
    const play = async (schedule: Schedule) => {
      const { world, emails } = fiveEmails();
      const process = (at: AtCall) => classifier(world, at);
      const calls = await interleave([process, process], schedule);
      await recover(world);
      expect(world.asked.toSorted()).toEqual(emails);
      expectComplete(world, emails);
      return calls;
    };
    const calls = await play((call) => call % 2);
    for (const schedule of ordersOfTwo(calls)) await play(schedule);
  });

  it('is completed where one of two classifiers is killed between any two calls', async () => {
    const play = async (deadly: number, when: 'before' | 'after', schedule: Schedule) => {
      const { world, emails } = fiveEmails();
      const death = dying(deadly, when);
      const mortal = (at: AtCall) => classifier(world, (name, call) => death.at(name, () => at(name, call)));
      const calls = await interleave([mortal, (at) => classifier(world, at)], schedule);
      await recover(world);
      expectComplete(world, emails);
      // At most the batch in hand is asked about again.
      expect(world.asked.length).toBeLessThan(10);
      return calls;
    };
    await forEveryKillPoint(play, 5);
  });
});
