import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type AtCall, dying, interleave, ordersOfTwo, watched } from '../../../../test/support/interleavings.ts';
import { openTestDatabase, type TestDatabase } from '../../../../test/support/mail-database.ts';
import { feed, processOf as processOn, webhook } from './process.test-support.ts';
import { createProgressStore } from './progress-store.ts';

const ANNOUNCED_CHANGES = ['evt_0', 'evt_2', 'evt_3'];
let database: TestDatabase;
let collections: TestDatabase['collections'];
beforeAll(async () => {
  database = await openTestDatabase();
  ({ collections } = database);
});
afterAll(() => database.close());

async function begin(): Promise<void> {
  await Promise.all([collections.webhooks.deleteMany({}), collections.deliveries.deleteMany({})]);
  await collections.webhooks.create([webhook]);
}

const processOf = ({ at, ...more }: Omit<Parameters<typeof processOn>[0], 'progress'> & { at: AtCall }) =>
  processOn({ progress: watched(createProgressStore(collections), at), at, ...more });

async function expectAllDelivered(): Promise<void> {
  const stored = await collections.deliveries.find({}).sort({ seq: 1 }).lean();
  expect(stored.map(({ changeId, status }) => [changeId, status])).toEqual(
    ANNOUNCED_CHANGES.map((id) => [id, 'delivered']),
  );
  expect((await collections.webhooks.findOne({}).lean())?.cursor).toBe(feed.length);
}

it('loses no delivery, wherever a process dies, and the next one repeats the one in flight at most', async () => {
  let points = 0;
  for (const when of ['before', 'after'] as const) {
    for (let deadly = 1, isOver = false; !isOver; deadly += 1) {
      await begin();
      const taken: string[] = [];
      const refused = new Set(['evt_0']);
      const answer = (changeId: string) => {
        const isTaken = !refused.delete(changeId);
        if (isTaken) taken.push(changeId);
        return isTaken;
      };
      const first = dying(deadly, when);
      await processOf({ at: first.at, answer })().catch(() => undefined);
      isOver = !first.isDead();
      await processOf({ at: (_name, call) => call(), answer })();
      expect([deadly, when, [...new Set(taken)].sort()]).toEqual([deadly, when, ANNOUNCED_CHANGES]);
      expect(taken.length).toBeLessThanOrEqual(feed.length);
      await expectAllDelivered();
      points += 1;
    }
  }
  expect(points).toBeGreaterThan(30);
});

/** The calls of both processes together; an order that interrupts later is one of those before. */
const CALLS = 60;
/** Of all orders, one out of so many is tried. */
const STEP = process.env['POSTROOM_FULL'] ? 7 : 37;

it('a process that was paused and lost its share changes nothing after it resumes, in every order of its calls', async () => {
  let plays = 0;
  let doubles = 0;
  for (const schedule of everyNth(ordersOfTwo(CALLS), STEP)) {
    await begin();
    const taken: string[] = [];
    let isTakenOver = false;
    const answerOf = (changeId: string) => taken.push(changeId) > 0;
    await interleave(
      [
        (at) => processOf({ at, answer: answerOf, isMine: () => !isTakenOver })().catch(() => undefined),
        async (at) => {
          await at('takes over', async () => (isTakenOver = true));
          await processOf({ at, answer: answerOf })();
        },
      ],
      schedule,
    );
    // One attempt was under way, or about to begin, when the other process took over.
    expect([...new Set(taken)]).toEqual(ANNOUNCED_CHANGES);
    expect(taken.length).toBeLessThanOrEqual(ANNOUNCED_CHANGES.length + 1);
    doubles += taken.length - ANNOUNCED_CHANGES.length;
    await expectAllDelivered();
    plays += 1;
  }
  expect(plays).toBeGreaterThan(2_800 / STEP);
  expect(doubles).toBeGreaterThan(0);
});

it('the failure of a paused process does not undo what the next one delivered', async () => {
  for (const schedule of everyNth(ordersOfTwo(CALLS), STEP)) {
    await begin();
    const taken: string[] = [];
    let isTakenOver = false;
    await interleave(
      [
        (at) => processOf({ at, answer: () => false, isMine: () => !isTakenOver })().catch(() => undefined),
        async (at) => {
          await at('takes over', async () => (isTakenOver = true));
          await processOf({ at, answer: (changeId) => taken.push(changeId) > 0 })();
        },
      ],
      schedule,
    );
    const process = processOf({ at: (_name, call) => call(), answer: (id) => taken.push(id) > 0 });
    await process();
    // Only the second process is answered, so each change is taken once.
    expect(taken.toSorted()).toEqual(ANNOUNCED_CHANGES);
    await expectAllDelivered();
  }
});

it('an owner who pauses the endpoint and enables it again gets each change once and in order, in every order of calls', async () => {
  let pauses = 0;
  for (const schedule of everyNth(everyTwoMoments(24), process.env['POSTROOM_FULL'] ? 1 : 5)) {
    await begin();
    const taken: string[] = [];
    const answer = (changeId: string) => taken.push(changeId) > 0;
    await interleave(
      [
        (at) => processOf({ at, answer })().catch(() => undefined),
        async (at) => {
          const change = (values: object) => collections.webhooks.updateOne({}, { $set: values }).exec();
          await at('pauses', () => change({ status: 'paused' }));
          pauses += taken.length < ANNOUNCED_CHANGES.length ? 1 : 0;
          await at('enables', () => change({ status: 'enabled', orderedUntil: feed.length }));
        },
      ],
      schedule,
    );
    await processOf({ at: (_name, call) => call(), answer })();
    expect(taken).toEqual(ANNOUNCED_CHANGES);
  }
  expect(pauses).toBeGreaterThan(0);
});

/** The second player makes one call at each of two moments of the first. */
function* everyTwoMoments(calls: number) {
  for (let one = 0; one < calls; one += 1)
    for (let other = one + 1; other < calls; other += 1)
      yield (call: number) => (call === one || call === other ? 1 : 0);
}

function* everyNth<T>(items: Iterable<T>, n: number): Generator<T> {
  let at = 0;
  for (const item of items) if (at++ % n === 0) yield item;
}
