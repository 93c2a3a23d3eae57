import { Writable } from 'node:stream';
import { beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { createStreams, type Streams } from './streams.ts';

const RETRY = 'retry: 1000\n\n';

let clock: ManualClock;
let streams: Streams;
let head: number;
let reads: number[];
let oldest: number;
let isAllowed: boolean;
/** Whether the key of a stream is still allowed. */
let answer: () => Promise<boolean>;
/** Changes behind this number are told of, and in no page yet. */
let shown: number;

beforeEach(() => {
  clock = manualClock();
  [head, oldest, reads, isAllowed, shown] = [0, 1, [], true, Infinity];
  answer = async () => isAllowed;
  const read = async (_workspaceId: string, after: number) => {
    // A stream that reads without a pause would never give the test its turn.
    if (reads.push(after) > 1_000) throw new Error('too many reads');
    const first = Math.max(after + 1, oldest);
    // A page has one change.
    const bytes = Buffer.from(first > Math.min(head, shown) ? '' : `id: ${first}\n\n`);
    return { first, end: bytes.length === 0 ? after : first, bytes };
  };
  const newer = async (_workspaceId: string, after: number, { ms, signal }: { ms: number; signal: AbortSignal }) => {
    if (head <= after) await clock.sleep(ms, signal).catch(() => undefined);
    return head > after;
  };
  streams = createStreams({ read, watches: { newer }, context: { clock } });
});

/** Opens a stream whose client takes what comes, or nothing. */
function open({ after = 0, takes = true } = {}) {
  let text = '';
  const gone = new AbortController();
  const to = new Writable({
    highWaterMark: 64,
    write: (piece, _encoding, taken) => {
      text += String(piece);
      if (takes) taken();
    },
  });
  streams.begin({ workspaceId: 'wsp_1', after, isStillAllowed: () => answer(), signal: gone.signal }, to);
  return { to, gone, text: () => text, hasEnded: () => to.writableEnded };
}

async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 1_000) {
    await clock.advance(1_000);
    streams.tend();
  }
  await clock.advance(0);
}

describe('a stream', () => {
  it('comments every 15 seconds, and ends after five minutes with the time to come back after', async () => {
    const stream = open();
    await pass(299_000);
    expect(stream.text()).toBe(RETRY + ':\n\n'.repeat(19));
    expect(stream.hasEnded()).toBe(false);
    await pass(1_000);
    expect(stream.text()).toBe(RETRY + ':\n\n'.repeat(19) + RETRY);
    expect([stream.hasEnded(), streams.size]).toEqual([true, 0]);
  });

  it('ends within ten seconds of its key being refused', async () => {
    const stream = open();
    await pass(20_000);
    expect(stream.hasEnded()).toBe(false);
    isAllowed = false;
    await pass(10_000);
    expect(stream.hasEnded()).toBe(true);
  });

  it('ends within five seconds where nobody says whether its key is still allowed', async () => {
    const stream = open();
    await pass(20_000);
    answer = () => new Promise(() => {});
    await pass(5_000);
    expect(stream.hasEnded()).toBe(true);
  });

  it('ends where changes in between are kept no longer, so that the client is told when it comes back', async () => {
    [head, oldest] = [9, 5];
    const stream = open({ after: 2 });
    await pass(1_000);
    expect([stream.text(), stream.hasEnded()]).toEqual([RETRY + RETRY, true]);
  });

  it('reads one page, and no comment is added, for a client that takes nothing', async () => {
    head = 100;
    const stream = open({ takes: false });
    await pass(200_000);
    // A few pages fill the buffer of the connection; the next one waits for the client.
    const before = reads.length;
    expect(before).toBeLessThan(12);
    await pass(50_000);
    expect([reads.length, stream.to.writableLength < 128]).toEqual([before, true]);
    await pass(50_000);
    expect(stream.hasEnded()).toBe(true);
  });

  it('reads a few times a second where a change is told of and not shown yet, and then sends it', async () => {
    [head, shown] = [1, 0];
    const stream = open();
    await pass(5_000);
    expect(reads.length).toBeLessThan(60);
    expect(stream.text()).toBe(RETRY);
    shown = 1;
    await pass(1_000);
    expect(stream.text()).toBe(`${RETRY}id: 1\n\n`);
  });

  it('is over when its client is gone, and when the gateway drains', async () => {
    const [first, second] = [open(), open()];
    first.gone.abort();
    await pass(1_000);
    expect(streams.size).toBe(1);
    streams.close();
    await pass(1_000);
    expect([second.text(), second.hasEnded(), streams.size]).toEqual([RETRY + RETRY, true, 0]);
    expect(open().hasEnded()).toBe(false);
    await pass(1_000);
    expect(streams.size).toBe(0);
  });
});
