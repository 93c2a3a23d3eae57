import { setMaxListeners } from 'node:events';
import { describe, expect, it } from '@jest/globals';
import { FAULTS, harmOf, MINUTE, open, SECOND } from './poison.test-support.ts';
import { pendingWorld } from './pending-world.test-support.ts';
import { createWorker } from './worker.ts';

describe.each(Object.entries(FAULTS))('mail of one workspace on which the model %s', (_which, fault) => {
  it.each([1, 40])(
    '%d: others are classified as fast as without it, each ends in quarantine in 15 minutes, or waits where the model is busy',
    async (poisons) => {
      expect(await harmOf(fault, poisons)).toEqual([]);
    },
    60_000,
  );
});

it('a workspace whose calls never end holds half of the permits, and the mail of another begins', () => {
  const world = pendingWorld();
  world.model = { ...world.model, judge: () => new Promise(() => undefined) };
  const worker = createWorker(world.deps(), 8);
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const begins = (workspaceId: string, n: number): boolean =>
    worker.begin(world.arrive(`${workspaceId}_${n}`, { workspaceId }), 'email', signal) !== undefined;
  expect([1, 2, 3, 4, 5, 6].map((n) => begins('wsp_slow', n))).toEqual([true, true, true, true, false, false]);
  expect([1, 2, 3, 4, 5].map((n) => begins('wsp_other', n))).toEqual([true, true, true, true, false]);
});

it('a thread of 300 whose first email fails keeps no other email of its workspace waiting', async () => {
  const { world, pass, close } = await open({ afterMs: 50 });
  for (let n = 0; n < 300; n += 1) world.arrive(`poison_${n}`, { threadId: 'thr_long' });
  world.arrive('good');
  await pass(10 * SECOND);
  expect(world.classified.map(({ emailId }) => emailId)).toEqual(['good']);
  await close();
}, 60_000);

describe('a model that is too busy for two calls of three', () => {
  it('quarantines no email of a backlog, and classifies nearly all within half an hour', async () => {
    const { world, state, pass, close } = await open({ afterMs: 50, isBusy: true });
    let calls = 0;
    state.isOverLimit = () => (calls += 1) % 3 !== 0;
    for (let n = 0; n < 300; n += 1) world.arrive(`good_${n}`, { workspaceId: `wsp_${n % 10}` });
    for (let minutes = 0; minutes < 30 && world.waiting().length > 0; minutes += 1) await pass(MINUTE);
    expect(world.quarantined()).toEqual([]);
    expect(world.classified.length).toBeGreaterThan(280);
    await close();
  }, 60_000);

  it('quarantines an email that it has not answered for six hours', async () => {
    const { world, pass, close, clock } = await open({ afterMs: 50, isBusy: true });
    world.arrive('poison_young');
    world.arrive('poison_old');
    const old = world.emails.get('poison_old');
    if (old) old.awaitsClassificationSince = new Date(clock.now() - 6 * 60 * MINUTE);
    await pass(5 * MINUTE);
    expect(world.quarantined()).toMatchObject([{ _id: 'poison_old', classification: { attempts: 5 } }]);
    expect(world.waiting().map(({ _id }) => _id)).toEqual(['poison_young']);
    await close();
  }, 60_000);
});

describe('a model that answers nobody', () => {
  it('keeps no mail of a workspace without rules, whether its event comes or is lost', async () => {
    const { world, state, arrive, pass, close } = await open({ afterMs: 50 });
    state.isDown = true;
    for (let n = 0; n < 250; n += 1) await arrive(`asking_${n}`, `wsp_${n}`);
    await pass(10 * SECOND);
    await arrive('told', 'wsp_without_rules');
    world.arrive('lost', { workspaceId: 'wsp_without_rules' });
    await pass(20 * SECOND);
    expect(world.classified.map(({ emailId }) => emailId)).toEqual(['told', 'lost']);
    await close();
  }, 60_000);

  it('for an hour costs no email an attempt, and a workspace that is alone neither; all are classified within a minute', async () => {
    const { world, state, arrive, pass, close } = await open({ afterMs: 50 });
    state.isDown = true;
    for (let n = 0; n < 50; n += 1) await arrive(`good_${n}`, 'wsp_alone');
    await pass(60 * MINUTE);
    expect(world.waiting()).toHaveLength(50);
    for (const { classification } of world.waiting()) expect(classification?.attempts ?? 0).toBe(0);
    // It is asked the control question alone.
    expect(state.asked).toBeLessThanOrEqual(50);
    expect(state.controls).toBeLessThan(80);
    state.isDown = false;
    await pass(MINUTE + 10 * SECOND);
    expect(world.classified).toHaveLength(50);
    await close();
  }, 60_000);
});
