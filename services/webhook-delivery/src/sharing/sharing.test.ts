import { expect, it } from '@jest/globals';
import type { DelivererDocument } from '@postroom/mail-store/documents/webhook';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { type Sharing, startSharing } from './sharing.ts';

const START = '2026-03-01T00:00:00Z';
const workspaces = Array.from({ length: 100 }, (_, n) => `wsp_${n}`);
const sharesOf = (...pods: Sharing[]) => pods.map(({ isMine }) => workspaces.filter(isMine));

function podsOf(count: number) {
  const documents = new Map<string, DelivererDocument>();
  const store = {
    everyLive: async (now: Date) => [...documents.values()].filter(({ expiresAt }) => expiresAt > now),
    everyOwnSay: async (one: DelivererDocument) => void documents.set(one._id, one),
    everyOwnEnd: async (id: string) => void documents.delete(id),
  };
  const clocks = Array.from({ length: count }, () => manualClock(START));
  const start = (n: number) =>
    startSharing(store, { clock: clocks[n] as ManualClock, log: silentLog, ids: () => `pod_${n}` });
  const pass = async (seconds: number, running = clocks) => {
    for (let n = 0; n < seconds * 4; n += 1) for (const clock of running) await clock.advance(250);
  };
  return { clocks, start, pass };
}

it('a process that stands still for five seconds has no share when it goes on, and the other has all', async () => {
  const { clocks, start, pass } = podsOf(2);
  const [first, second] = [await start(0), await start(1)];
  await pass(5);
  const [before, others] = sharesOf(first, second) as [string[], string[]];
  expect(before.length).toBeGreaterThan(20);
  expect([...before, ...others].toSorted()).toEqual(workspaces.toSorted());

  // The first process is stopped, and its clock with it.
  await pass(7, [clocks[1] as ManualClock]);
  expect(sharesOf(second)).toEqual([workspaces]);
  clocks[0]?.set((clocks[1] as ManualClock).now());
  expect(sharesOf(first)).toEqual([[]]);

  // It joins anew, and at no time do both of them have a workspace.
  for (let quarter = 0; quarter < 40; quarter += 1) {
    await pass(0.25);
    const [mine, theirs] = sharesOf(first, second) as [string[], string[]];
    expect(mine.filter((workspaceId) => theirs.includes(workspaceId))).toEqual([]);
  }
  expect(sharesOf(first, second)).toEqual([before, others]);
  await Promise.all([first.close(), second.close()]);
});

it('the share of a process that dies is with the others after six seconds', async () => {
  const { clocks, start, pass } = podsOf(3);
  const pods = [await start(0), await start(1), await start(2)];
  await pass(5);
  const left = clocks.slice(1);
  await pass(6.5, left);
  expect(
    sharesOf(...pods.slice(1))
      .flat()
      .toSorted(),
  ).toEqual(workspaces.toSorted());
  await Promise.all(pods.map((pod) => pod.close()));
});
