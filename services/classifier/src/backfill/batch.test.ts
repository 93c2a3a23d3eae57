import { describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { silentLog } from '@postroom/runtime/log';
import { type AtCall, watched } from '../../../../test/support/interleavings.ts';
import { ModelBusy, ModelUnavailable } from '../model/availability.ts';
import { passOnce } from '../pending/poll.ts';
import { pendingWorld } from '../pending/pending-world.test-support.ts';
import { createWorker } from '../pending/worker.ts';
import { backfillWorld, open, recover, work } from './backfill-world.test-support.ts';
import { createBackfillPoll } from './poll.ts';

describe('a backfill', () => {
  it('labels the newest first, as many as were asked for until it began', async () => {
    const world = backfillWorld();
    const emails = world.add('bfj_1', 'wsp_1', 20, 2);
    let isJoined = false;
    const joinOnce: AtCall = async (name, call) => {
      const found = await call();
      if (name === 'due' && !isJoined) [isJoined, world.job().limit] = [true, 6];
      return found;
    };
    await work(world, (store) => watched(store, joinOnce));
    expect(world.asked).toEqual(emails.slice(0, 6));
    expect(world.job()).toMatchObject({ state: 'completed', done: 6, total: 6 });
  });

  it('passes over an email on which the model fails, and labels the others', async () => {
    const world = backfillWorld();
    const [bad = '', ...others] = world.add('bfj_1', 'wsp_1', 9);
    world.onJudge = async (emailId) => {
      if (emailId === bad) throw new Error('this email breaks it');
    };
    await recover(world);
    expect([...world.labelled].toSorted()).toEqual(others);
    expect(world.asked.filter((emailId) => emailId === bad)).toHaveLength(3);
    const cause = '1 emails were passed over: this email breaks it';
    expect(world.job()).toMatchObject({ state: 'completed', done: 9, skipped: 1, cause });
  });

  it('passes no email over because a service failed some times', async () => {
    const world = backfillWorld();
    const emails = world.add('bfj_1', 'wsp_1', 5);
    let failures = 12;
    const failing: AtCall = async (name, call) => {
      if (name !== 'recordClassification' || failures === 0) return call();
      failures -= 1;
      throw new ApiError('INTERNAL_ERROR');
    };
    for (let n = 0; n < 8; n += 1) {
      await world.clock.advance(15_000);
      await work(world, (store) => watched(store, failing));
    }
    expect([...world.labelled].toSorted()).toEqual(emails);
    expect(world.job()).toMatchObject({ state: 'completed', done: 5, skipped: 0 });
  });

  it('has failed with the cause where the model fails on every email', async () => {
    const world = backfillWorld();
    world.add('bfj_1', 'wsp_1', 2);
    world.onJudge = async () => {
      throw new Error('it breaks');
    };
    await recover(world);
    expect(world.job()).toMatchObject({ state: 'failed', cause: '2 emails were passed over: it breaks' });
  });

  it.each([
    ['unavailable', new ModelUnavailable(1_000)],
    ['busy', new ModelBusy(1_000, new Error('too many calls'))],
  ])('waits while the model is %s, and no attempt is counted', async (_what, error) => {
    const world = backfillWorld();
    const emails = world.add('bfj_1', 'wsp_1', 5);
    world.onJudge = async () => {
      throw error;
    };
    await recover(world, 30);
    expect(world.job()).toMatchObject({ state: 'running', done: 0, attempts: 0, cause: null });
    world.onJudge = async () => undefined;
    await recover(world);
    expect([...world.labelled].toSorted()).toEqual(emails);
    expect(world.job()).toMatchObject({ state: 'completed' });
  });

  it('asks the model nothing while mailbox-write is unavailable, and no attempt is counted', async () => {
    const world = backfillWorld();
    const emails = world.add('bfj_1', 'wsp_1', 5);
    world.isRecording = false;
    await recover(world, 30);
    expect(world.asked).toEqual([]);
    expect(world.job()).toMatchObject({ state: 'running', done: 0, attempts: 0, cause: null });
    world.isRecording = true;
    await recover(world);
    expect([...world.labelled].toSorted()).toEqual(emails);
  });

  it('passes over an email that a busy model has not answered for six hours', async () => {
    const world = backfillWorld();
    world.add('bfj_1', 'wsp_1', 5);
    world.onJudge = async (emailId) => {
      if (emailId === 'bfj_1 0') throw new ModelBusy(0, new Error('too large'));
    };
    await work(world);
    world.clock.set(world.clock.now() + 6 * 60 * 60_000);
    await recover(world);
    expect(world.job()).toMatchObject({ state: 'completed', done: 5, skipped: 1 });
  });

  it('has failed with the cause after ten attempts without progress', async () => {
    const world = backfillWorld();
    world.add('bfj_1', 'wsp_1', 5);
    let tries = 0;
    const broken: AtCall = async (name, call) => {
      if (name !== 'newest') return call();
      tries += 1;
      throw new Error('it cannot be read');
    };
    for (let n = 0; n < 20; n += 1) {
      await world.clock.advance(15_000);
      await work(world, (store) => watched(store, broken));
    }
    expect(tries).toBe(10);
    expect(world.job()).toMatchObject({ state: 'failed', cause: 'it cannot be read' });
  });

  it('is given back with no attempt counted where its classifier closes', async () => {
    const world = backfillWorld();
    world.add('bfj_1', 'wsp_1', 5);
    const closing = new AbortController();
    world.onJudge = async () => closing.abort(new Error('closing'));
    const poll = createBackfillPoll(world.deps());
    await poll.passOnce(closing.signal);
    await poll.idle();
    expect(world.job()).toMatchObject({ state: 'running', attempts: 0, notBefore: world.clock.date() });
  });

  it('leaves room for those of other workspaces, however many there are of one', async () => {
    const world = backfillWorld();
    for (const id of ['bfj_1', 'bfj_2', 'bfj_3']) world.add(id, 'wsp_1', 8);
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    world.onJudge = () => answered;
    const poll = createBackfillPoll(world.deps());
    await poll.passOnce(open());
    await poll.passOnce(open());
    world.add('bfj_4', 'wsp_2', 4);
    await poll.passOnce(open());
    const states = ['bfj_1', 'bfj_2', 'bfj_3', 'bfj_4'].map((id) => world.job(id).state);
    expect(states).toEqual(['running', 'queued', 'queued', 'running']);
    answer();
    await poll.idle();
  });

  it('is not delayed by those of ten workspaces on whose mail the model is slow', async () => {
    const world = backfillWorld();
    for (let n = 0; n < 10; n += 1) world.add(`slow_${n}`, `wsp_${n}`, 200);
    world.onJudge = (emailId) => world.clock.sleep(emailId.startsWith('slow') ? 19_000 : 1_000);
    const poll = createBackfillPoll(world.deps());
    poll.start();
    await world.clock.advance(10_000);
    world.add('bfj_quick', 'wsp_quick', 200);
    let seconds = 0;
    for (; world.job('bfj_quick').state !== 'completed' && seconds < 7_200; seconds += 1)
      await world.clock.advance(1_000);
    // Alone it takes 50 batches of a second each.
    expect(seconds).toBeLessThan(180);
    expect(Math.min(...Array.from({ length: 10 }, (_, n) => world.job(`slow_${n}`).done))).toBeGreaterThan(0);
    const closed = poll.close();
    await world.clock.advance(60_000);
    await closed;
  });

  it('begins when the poll is woken, and its batches follow each other without a pause', async () => {
    const world = backfillWorld();
    const poll = createBackfillPoll(world.deps());
    poll.start();
    const nextImmediate = () => new Promise((resolve) => setImmediate(resolve));
    while (world.clock.sleeping === 0) await nextImmediate();
    const emails = world.add('bfj_1', 'wsp_1', 20);
    poll.wake();
    while (world.job().state !== 'completed') await nextImmediate();
    expect(world.asked).toEqual(emails);
    await poll.close();
  });

  it('goes on while the live mail that is due waits for other mail of its thread', async () => {
    const live = pendingWorld();
    const world = backfillWorld({ clock: live.clock });
    const emails = world.add('bfj_1', 'wsp_1', 8);
    live.arrive('live', { workspaceId: 'wsp_2', threadId: 'thr_1' });
    const worker = { hasCapacity: () => true, blockedThreads: () => ['thr_1'] };
    const backfills = createBackfillPoll({ ...world.deps(), pending: live.pending, worker });
    for (let n = 0; n < 2; n += 1) {
      await backfills.passOnce(open());
      await backfills.idle();
    }
    expect(world.asked).toEqual(emails);
  });

  it('goes on while live mail never stops and each email is left to its event', async () => {
    const live = pendingWorld();
    const world = backfillWorld({ clock: live.clock });
    const emails = world.add('bfj_1', 'wsp_1', 8);
    const worker = { hasCapacity: () => true, blockedThreads: () => [] };
    const backfills = createBackfillPoll({ ...world.deps(), pending: live.pending, worker });
    for (let n = 0; n < 4; n += 1) {
      live.arrive(`live ${n}`, { workspaceId: 'wsp_2' });
      await backfills.passOnce(open());
      await backfills.idle();
      live.emails.clear();
    }
    expect(world.asked).toEqual(emails);
  });

  it('begins no email while a live email is due', async () => {
    const live = pendingWorld();
    const world = backfillWorld({ clock: live.clock });
    const emails = world.add('bfj_1', 'wsp_1', 8);
    const worker = createWorker(live.deps(), 8);
    const backfills = createBackfillPoll({ ...world.deps(), pending: live.pending, worker });
    const pass = async () => {
      await backfills.passOnce(open());
      await backfills.idle();
    };
    await pass();
    live.arrive('live', { workspaceId: 'wsp_2' });
    await live.clock.advance(5_000);
    await pass();
    expect(world.asked).toEqual(emails.slice(0, 4));
    const { pending, model, clock } = live;
    const { rulesOf } = live.deps();
    await passOnce({ pending, worker, model, rulesOf, clock, log: silentLog }, '', open());
    await worker.idle();
    expect(live.asked).toEqual(['live']);
    await pass();
    expect(world.asked).toEqual(emails);
  });
});
