import { describe, expect, it, jest } from '@jest/globals';
import { silentLog } from '@postroom/runtime/log';
import { type PendingWorld, pendingWorld } from './pending-world.test-support.ts';
import { passOnce } from './poll.ts';
import { createWorker } from './worker.ts';

const LATER_MS = 5_000;

/** Classification begins and does not end, so what was begun keeps its room. */
async function poll(world: PendingWorld, atOnce: number) {
  world.model = { ...world.model, judge: () => new Promise(() => {}) };
  const due = jest.spyOn(world.pending, 'due');
  const deps = world.deps();
  const { model, rulesOf, clock } = deps;
  const worker = createWorker(deps, atOnce);
  const pass = () =>
    passOnce(
      { pending: world.pending, worker, model, rulesOf, clock, log: silentLog },
      '',
      new AbortController().signal,
    );
  await world.clock.advance(LATER_MS);
  return { pass, due };
}

describe('the poll for emails that are due', () => {
  it('comes back after its usual pause where all of them were begun', async () => {
    const world = pendingWorld();
    world.arrive('eml_1');
    world.arrive('eml_2');
    const { pass } = await poll(world, 8);
    expect(await pass()).toEqual({ last: 'wsp_1', isBusy: false });
  });

  it('comes back soon where some of them found no room', async () => {
    const world = pendingWorld();
    for (const emailId of ['eml_1', 'eml_2', 'eml_3']) world.arrive(emailId);
    const { pass } = await poll(world, 4);
    expect(await pass()).toEqual({ last: 'wsp_1', isBusy: true });
  });

  it('comes back soon where other workspaces found no room', async () => {
    const world = pendingWorld();
    for (const workspaceId of ['wsp_1', 'wsp_2', 'wsp_3']) world.arrive(`eml_of_${workspaceId}`, { workspaceId });
    const { pass } = await poll(world, 2);
    expect(await pass()).toEqual({ last: 'wsp_2', isBusy: true });
  });

  it('asks the database for none while there is no room, and comes back soon', async () => {
    const world = pendingWorld();
    world.arrive('eml_1');
    const { pass, due } = await poll(world, 1);
    await pass();
    world.arrive('eml_2');
    await world.clock.advance(LATER_MS);
    due.mockClear();
    expect(await pass()).toEqual({ last: '', isBusy: true });
    expect(due).not.toHaveBeenCalled();
  });
});
