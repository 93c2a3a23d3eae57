import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openMailStore } from '@postroom/mail-store/connection';
import type { Call } from '@postroom/rpc/call';
import { randomIds } from '@postroom/runtime/ids';
import { createServiceContext } from '@postroom/runtime/service-context';
import { freshDatabaseUri } from '../../../../test/support/database.ts';
import { type AtCall, ordersOfTwo, interleave, watched } from '../../../../test/support/interleavings.ts';
import { type BackfillStore, createBackfillStore } from './backfill-store.ts';
import { backfillHandlers } from './backfills.ts';
import type { Deps } from '../deps.ts';

const context = createServiceContext({ name: 'test', logLevel: 'silent' });
let store: BackfillStore;
beforeAll(async () => {
  const { collections } = await openMailStore({ uri: freshDatabaseUri(), needsSchema: false }, context);
  store = { ...createBackfillStore(collections), mailboxIds: async (_workspaceId, mailboxId) => [mailboxId ?? 'mbx'] };
});
afterAll(() => context.lifecycle.close());

/** A workspace with a rule and one mailbox, whose backfills two pods are asked for. */
function world() {
  const workspaceId = randomIds('wsp');
  const ask = (operationId: string, limit: number, at: AtCall = (_, call) => call()) => {
    const deps = {
      context,
      backfills: watched(store, at),
      aiRules: { list: async () => [{ labelId: 'lbl' }] },
      labels: { list: async () => [{ _id: 'lbl' }] },
      relay: { publishSoon: () => undefined },
    } as unknown as Deps;
    const call = { workspaceId, operationId, signal: AbortSignal.timeout(30_000), remainingMs: () => 30_000 };
    return backfillHandlers(deps).backfillAiLabels({ limit, mailboxId: 'mbx' }, call as unknown as Call);
  };
  const jobs = () => store.list(workspaceId, new Date(0), 100, { remainingMs: () => 30_000 } as never);
  const begin = async (at: AtCall = (_, call) => call()) => {
    const found = ((await at('list', jobs)) as Awaited<ReturnType<typeof jobs>>).find((job) => job.state === 'queued');
    if (!found) return;
    const { done, total, afterDate, afterId, cause, updatedAt } = found;
    const running = { state: 'running' as const, done, total, afterDate, afterId, cause, updatedAt };
    const recording = { jobId: found._id, seen: found.notBefore, progress: running };
    await at('record', () => store.record(workspaceId, recording, { remainingMs: () => 30_000 } as never));
  };
  return { ask, jobs, begin };
}

const states = (jobs: readonly { state: string }[]) => jobs.map(({ state }) => state).toSorted();

describe('two calls for the backfill of one mailbox at once', () => {
  it.each([
    ['of none before', false],
    ['behind one that runs', true],
  ])(
    '%s make one job that sees to the larger of both, in every order of what they ask of the store',
    async (_what, runs) => {
      const play = async (schedule: (call: number) => number) => {
        const { ask, jobs, begin } = world();
        if (runs) await ask('earlier', 10).then(() => begin());
        const calls = await interleave([(at) => ask('one', 100, at), (at) => ask('other', 200, at)], schedule);
        const found = await jobs();
        expect(states(found)).toEqual(runs ? ['queued', 'running'] : ['queued']);
        expect(found.find(({ state }) => state === 'queued')?.limit).toBe(200);
        return calls;
      };
      const calls = await play((call) => call % 2);
      for (const order of ordersOfTwo(calls)) await play(order);
    },
  );

  it('never leave two that wait, whenever the first begins; and each is seen to by one that began after it was asked', async () => {
    const play = async (schedule: (call: number) => number) => {
      const { ask, jobs, begin } = world();
      await ask('earlier', 10);
      const calls = await interleave([begin, (at) => ask('one', 100, at)], schedule);
      const found = await jobs();
      expect(found.filter(({ state }) => state === 'queued').length).toBeLessThan(2);
      expect(Math.max(...found.map(({ limit }) => limit))).toBe(100);
      return calls;
    };
    const calls = await play((call) => call % 2);
    for (const order of ordersOfTwo(calls)) await play(order);
  });

  it('that are one call, made again, make one job, also when it has begun meanwhile', async () => {
    const { ask, jobs, begin } = world();
    await ask('same', 10);
    await begin();
    await ask('same', 10);
    expect(states(await jobs())).toEqual(['running']);
    await ask('next', 10);
    await begin();
    expect(states(await jobs())).toEqual(['running', 'running']);
  });
});

describe('the progress of a backfill that a classifier records', () => {
  const recordBackfill = (workspaceId: string, request: object) => {
    const call = { workspaceId, signal: AbortSignal.timeout(30_000), remainingMs: () => 30_000 };
    const handlers = backfillHandlers({ context, backfills: store } as unknown as Deps);
    return handlers.recordBackfill(request as never, call as unknown as Call);
  };

  it('is stored where no other has taken the backfill up since it was read, and where it has not ended', async () => {
    const { ask, jobs } = world();
    await ask('one', 10);
    const [job] = await jobs();
    const { _id: jobId = '', workspaceId = '' } = job ?? {};
    const [first, second, third] = [1, 2, 3].map((n) => new Date(n * 1_000).toISOString());
    const at = (seen: string | undefined, notBefore: string | undefined, done: number, state = 'running') =>
      recordBackfill(workspaceId, { jobId, seen, notBefore, done, state, total: 9, attempts: 1, skipped: 1 });
    expect(await at(undefined, first, 0)).toEqual({ isChanged: true });
    expect(await at(undefined, second, 4)).toEqual({ isChanged: false });
    expect(await at(first, second, 4)).toEqual({ isChanged: true });
    expect(await at(first, third, 8)).toEqual({ isChanged: false });
    expect(await at(second, third, 3)).toEqual({ isChanged: false });
    expect(await at(second, third, 9, 'completed')).toEqual({ isChanged: true });
    expect(await at(third, first, 9)).toEqual({ isChanged: false });
    const notBefore = new Date(third ?? '');
    expect((await jobs())[0]).toMatchObject({ state: 'completed', done: 9, attempts: 1, skipped: 1, notBefore });
  });
});
