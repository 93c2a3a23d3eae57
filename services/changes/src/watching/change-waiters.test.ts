import { afterEach, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createChangeWaiters, type ChangeWaiters } from './change-waiters.ts';

const clock = manualClock();
const signal = new AbortController().signal;
let asked: { workspaceId: string; after: number }[][] = [];
let newestNumbers: Record<string, number> = {};
let changeWaiters: ChangeWaiters;

const open = () => {
  [asked, newestNumbers] = [[], {}];
  const changes = {
    everyWorkspacesNext: async (positions: readonly { workspaceId: string; after: number }[]) => {
      asked.push([...positions]);
      const found = positions.filter(({ workspaceId, after }) => (newestNumbers[workspaceId] ?? 0) > after);
      return found.map(({ workspaceId, after }) => ({ workspaceId, seq: after + 1 }));
    },
  };
  changeWaiters = createChangeWaiters({ changes, context: { clock, log: silentLog } });
};
afterEach(() => changeWaiters.close());

it('a change that another process appends wakes those who wait behind it, and nobody else', async () => {
  open();
  const over: string[] = [];
  const wait = (name: string, after: number) =>
    void changeWaiters.wait(name, after, 60_000, signal).over.then(() => over.push(`${name} ${after}`));
  wait('wsp_1', 5);
  wait('wsp_1', 7);
  wait('wsp_2', 5);
  newestNumbers = { wsp_1: 6, wsp_2: 5 };
  await clock.advance(500);
  expect(over).toEqual(['wsp_1 5']);
});

it('a poll asks for one number of each position that somebody waits at, fifty at once, and for none where nobody waits', async () => {
  open();
  await clock.advance(500);
  expect(asked).toEqual([]);
  for (let n = 0; n < 120; n += 1)
    for (const _twice of [1, 2]) changeWaiters.wait(`wsp_${n}`, n, 60_000, new AbortController().signal);
  await clock.advance(500);
  expect(asked.map(({ length }) => length)).toEqual([50, 50, 20]);
});
