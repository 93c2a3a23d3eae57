import { describe, expect, it } from '@jest/globals';
import { silentLog } from '@postroom/runtime/log';
import {
  type AtCall,
  dying,
  ordersOfTwo,
  interleave,
  watched,
  forEveryKillPoint,
  type Schedule,
} from '../../../../test/support/interleavings.ts';
import { CLASSIFY_LEASE_MS } from '../classify/lease.ts';
import { type PendingWorld, pendingWorld } from './pending-world.test-support.ts';
import { passOnce } from './poll.ts';
import type { WhichEmail } from './pending-store.ts';
import { createWorker } from './worker.ts';

const IN_ORDER = ['first', 'second', 'third'];
const open = () => new AbortController().signal;
const alive: AtCall = (_name, call) => call();

/** Three emails of one thread, which came in one moment. */
function conversation(): { world: PendingWorld; emails: WhichEmail[] } {
  const world = pendingWorld();
  return { world, emails: IN_ORDER.map((emailId) => world.arrive(emailId, { threadId: 'thr_1' })) };
}

/** A classifier whose every call goes through `at`. */
function classifier(world: PendingWorld, at: AtCall) {
  const deps = world.deps();
  return createWorker(
    {
      ...deps,
      pending: watched(deps.pending, at),
      mail: watched(deps.mail, at),
      mailboxWrite: watched(deps.mailboxWrite, at),
      model: { ...deps.model, ...watched({ judge: deps.model.judge }, at) },
    },
    8,
  );
}

/** As their events come. */
const byEvents = (world: PendingWorld, emails: readonly WhichEmail[]) => async (at: AtCall) => {
  const worker = classifier(world, at);
  for (const which of emails) await worker.begin(which, 'email', open());
};
/** As a poll may find them. */
const byPoll = (world: PendingWorld, emails: readonly WhichEmail[]) => async (at: AtCall) => {
  const worker = classifier(world, at);
  for (const which of emails.toReversed()) await worker.begin(which, 'end', open());
};

/** A classifier that lives on does what was left, once the leases of the dead are over. */
async function recover(world: PendingWorld): Promise<void> {
  const worker = classifier(world, alive);
  const { pending, model, clock } = world;
  const { rulesOf } = world.deps();
  for (let n = 0; n < 10 && world.waiting().length > 0; n += 1) {
    await clock.advance(CLASSIFY_LEASE_MS);
    await passOnce({ pending, worker, model, rulesOf, clock, log: silentLog }, '', open());
    await worker.idle();
  }
}

/** A promise, and the call that resolves it. */
function held(): [finish: () => void, promise: Promise<void>] {
  let finish = () => {};
  const promise = new Promise<void>((resolve) => (finish = resolve));
  return [finish, promise];
}

const order = ({ classified }: PendingWorld) => classified.map(({ emailId }) => emailId);

describe('emails of one thread', () => {
  it.each(['before', 'after'] as const)(
    'are classified once and in their order where their classifier is killed %s any of its calls',
    async (when) => {
      let calls = 0;
      for (let deadly = 1; deadly <= Math.max(calls, 1); deadly += 1) {
        const { world, emails } = conversation();
        let made = 0;
        const death = dying(deadly, when);
        await byEvents(world, emails)((name, call) => ((made += 1), death.at(name, call)));
        if (deadly === 1) {
          const whole = conversation();
          await byEvents(whole.world, whole.emails)((_name, call) => ((calls += 1), call()));
        }
        expect(made).toBeGreaterThan(0);
        await recover(world);
        expect(order(world)).toEqual(IN_ORDER);
      }
      expect(calls).toBeGreaterThan(10);
    },
  );

  it.each([
    ['events and events', byEvents, byEvents],
    ['events and a poll', byEvents, byPoll],
    ['two polls', byPoll, byPoll],
  ])(
    'are classified once and in their order by two classifiers, in every order of their calls: %s',
    async (_what, one, other) => {
      const play = async (schedule: Schedule) => {
        const { world, emails } = conversation();
        const calls = await interleave([one(world, emails), other(world, emails)], schedule);
        await recover(world);
        expect(world.asked).toEqual(IN_ORDER);
        expect(order(world)).toEqual(IN_ORDER);
        return calls;
      };
      const calls = await play((call) => call % 2);
      for (const schedule of ordersOfTwo(calls)) await play(schedule);
    },
  );

  it('are classified once and in their order where one of two classifiers is killed between any two calls', async () => {
    const play = async (deadly: number, when: 'before' | 'after', schedule: Schedule) => {
      const { world, emails } = conversation();
      const death = dying(deadly, when);
      const mortal = (at: AtCall) => byEvents(world, emails)((name, call) => death.at(name, () => at(name, call)));
      const calls = await interleave([mortal, byPoll(world, emails)], schedule);
      await recover(world);
      expect(order(world)).toEqual(IN_ORDER);
      return calls;
    };
    await forEveryKillPoint(play);
  });

  it('stay with the classifier that began them when an earlier email joins their thread', async () => {
    const { world, emails } = conversation();
    const [first, second] = emails as [WhichEmail, WhichEmail];
    const stored = world.emails.get('second');
    Object.assign(stored ?? {}, { threadId: 'thr_2' });
    const [finish, judging] = held();
    const one = classifier(world, (name, call) => (name === 'judge' ? judging.then(call) : call()));
    const work = one.begin({ ...second, threadId: 'thr_2' }, 'email', open());
    await world.clock.advance(0);
    Object.assign(stored ?? {}, { threadId: 'thr_1' });
    await classifier(world, alive).begin(first, 'end', open());
    expect(world.asked).toEqual(['first']);
    finish();
    await work;
    expect(world.asked).toEqual(['first', 'second']);
  });

  it('wait behind one that fails, and go on once it is quarantined', async () => {
    const { world, emails } = conversation();
    world.model = {
      ...world.model,
      judge: async (question, signal) => {
        if (question.mail.text === 'first') throw new Error('it fails');
        return pendingWorld().model.judge(question, signal);
      },
    };
    await byEvents(world, emails)(alive);
    expect(order(world)).toEqual([]);
    const { pending, model, clock } = world;
    const { rulesOf } = world.deps();
    const worker = classifier(world, alive);
    for (let second = 0; second < 300; second += 1) {
      await clock.advance(1_000);
      await passOnce({ pending, worker, model, rulesOf, clock, log: silentLog }, '', open());
      await worker.idle();
      if (world.quarantined().length === 0) expect(order(world)).toEqual([]);
    }
    expect(world.quarantined().map(({ _id }) => _id)).toEqual(['first']);
    expect(order(world)).toEqual(['second', 'third']);
  });
});

it('an event behind forty slow emails of its thread is done within its time limit, and leaves the others to the poll', async () => {
  const world = pendingWorld();
  const { judge } = world.model;
  world.model = {
    ...world.model,
    judge: async (question, signal) => {
      await world.clock.sleep(4_000, signal);
      return judge(question, signal);
    },
  };
  const thread = Array.from({ length: 40 }, (_, n) => world.arrive(`e${n}`, { threadId: 'thr_1' }));
  let isDone = false;
  const last = thread.at(-1) as WhichEmail;
  const work = classifier(world, alive).begin(last, 'email', open());
  void work?.then(() => (isDone = true));
  for (let gone = 0; gone < 60; gone += 1) await world.clock.advance(1_000);
  expect([isDone, world.waiting().length > 20]).toEqual([true, true]);
});
