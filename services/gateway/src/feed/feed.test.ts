import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import type { Change } from '@postroom/proto/postroom/v1/changes';
import { manualClock } from '@postroom/runtime/clock';
import { seededIds } from '@postroom/runtime/ids';
import { createPages } from './pages.ts';
import { createStreams } from './streams.ts';
import { createWatches } from './watches.ts';

const W = 'wsp_1';
/** Calls wait here until the schedule lets one of them through. */
type Gate = (name: 'append' | 'list' | 'watch' | 'poll' | 'leave') => Promise<void>;

/** The changes service, and somebody who appends to it: each step goes through the gate. */
function world(gate: Gate, count: number) {
  let head = 0;
  const watching = new Set<{ seq: number; wake: () => void }>();
  const changes = {
    async listChanges({ since }: { since?: { value: unknown } | undefined }) {
      await gate('list');
      const after = Number(since?.value);
      const found = Array.from({ length: head - after }, (_, n) => changeOf(after + 1 + n));
      return { changes: found, nextSeq: head, nextCursor: `c${head}`, hasMore: false };
    },
    async watchChanges({ seq }: { seq: number }) {
      await gate('watch');
      if (head <= seq) await new Promise<void>((wake) => watching.add({ seq, wake }));
      return { seq: head };
    },
  };
  const append = async () => {
    for (let n = 0; n < count; n += 1) {
      await gate('append');
      head += 1;
      for (const each of watching) if (head > each.seq) each.wake();
    }
  };
  return { changes, append, head: () => head };
}

const changeOf = (seq: number): Change => ({
  seq,
  id: `evt_${seq}`,
  event: 'email.created',
  createdAt: '2026-01-01T00:00:00.000Z',
  data: '{"emailId":"eml_1"}',
  cursor: `c${seq}`,
});

interface Play {
  /** The changes that are appended. */
  count: number;
  /** Beside the poll. */
  other: 'a stream' | 'a client that goes away';
  /** The step at which the service is killed. */
  killed?: number;
}

/** Lets a poll and another wait while changes are appended, in the order of these choices. Returns how many there were at each. */
async function play({ count, other, killed }: Play, choices: readonly number[]): Promise<number[]> {
  const waiting: { name: string; go: () => void; refuse: (error: Error) => void }[] = [];
  const gate: Gate = (name) => new Promise((go, refuse) => waiting.push({ name, go, refuse }));
  const { changes, append, head } = world(gate, count);
  const clock = manualClock();
  const context = { clock, ids: seededIds(1) };
  const watches = createWatches({ changes, context });
  const streams = createStreams({ read: createPages({ changes, context }), watches, context });
  const to = new PassThrough();
  if (other === 'a stream')
    streams.begin(
      { workspaceId: W, after: 0, isStillAllowed: async () => true, signal: new AbortController().signal },
      to,
    );
  const poll = async () => {
    const { nextSeq } = await changes.listChanges({ since: { value: 0 } });
    await gate('poll');
    if (nextSeq === count) return [true, true];
    const isNewer = await watches.newer(W, nextSeq, { ms: 25_000, signal: new AbortController().signal });
    return [isNewer, head() > nextSeq];
  };
  const gone = new AbortController();
  const leave = async () => {
    const left = watches.newer(W, 0, { ms: 25_000, signal: gone.signal });
    await gate('leave');
    gone.abort();
    return left;
  };
  const parts = [append(), poll(), ...(other === 'a stream' ? [] : [leave()])];

  const branches: number[] = [];
  for (let step = 0; ; step += 1) {
    await idle();
    // A caller that was failed tries again after a second.
    if (waiting.length === 0) await clock.advance(1_000);
    if (waiting.length === 0) break;
    branches.push(waiting.length);
    const [chosen] = waiting.splice(choices[step] ?? 0, 1);
    const mayFail = chosen?.name === 'watch' || (chosen?.name === 'list' && step > 0);
    if (step === killed && mayFail) chosen?.refuse(new Error('killed'));
    else chosen?.go();
  }
  const heard = [...String(to.read() ?? '').matchAll(/^id: c(\d+)$/gm)].map(([, n]) => Number(n));
  // Nothing but the end of its time would end a wait from here on.
  const polled = await Promise.race([parts[1]?.catch(() => [true, true]), idle().then(() => 'still waits')]);
  streams.close();
  watches.close();
  await Promise.allSettled(parts);
  const all = other === 'a stream' ? Array.from({ length: count }, (_, n) => n + 1) : [];
  expect({ choices, heard, polled }).toEqual({ choices, heard: all, polled: [true, true] });
  return branches;
}

async function idle(): Promise<void> {
  for (let n = 0; n < 3; n += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** Every order there is: the last choice that can be another is, until there is none. */
async function everyOrder(one: (choices: readonly number[]) => Promise<number[]>): Promise<number> {
  let choices: number[] = [];
  for (let plays = 1; ; plays += 1) {
    const branches = await one(choices);
    const taken = branches.map((_, step) => choices[step] ?? 0);
    const last = branches.findLastIndex((count, step) => (taken[step] ?? 0) < count - 1);
    if (last < 0) return plays;
    choices = [...taken.slice(0, last), (taken[last] ?? 0) + 1];
  }
}

describe('in every order of the calls', () => {
  it('a stream and a poll hear of every change, once and in order', async () => {
    expect(await everyOrder((choices) => play({ count: 2, other: 'a stream' }, choices))).toBeGreaterThan(100);
  });

  it('a poll hears of a change while the last one who waited goes away', async () => {
    await everyOrder((choices) => play({ count: 2, other: 'a client that goes away' }, choices));
  });

  it('nothing is lost and nothing comes twice when the service is killed', async () => {
    for (let killed = 0; killed < 6; killed += 1)
      await everyOrder((choices) => play({ count: 1, other: 'a stream', killed }, choices));
  });
});
