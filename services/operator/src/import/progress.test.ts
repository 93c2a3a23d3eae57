import { PassThrough } from 'node:stream';
import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createProgress, durationText } from './progress.ts';
import { newTally } from './tally.ts';

const half = { ...newTally(), bytes: 500, new: 1_000, known: 200, quarantined: 34 };

async function linesOf(options: { totalBytes: number | undefined; json?: boolean }): Promise<string> {
  const clock = manualClock();
  const out = new PassThrough();
  const progress = createProgress({ out: out as unknown as NodeJS.WriteStream, clock, json: false, ...options });
  for (let second = 0; second < 6; second += 1) {
    progress.update(half);
    await clock.advance(1_000);
  }
  progress.update(half);
  progress.stop();
  return String(out.read() ?? '');
}

it('says count, rate and time left in a plain line every five seconds', async () => {
  expect(await linesOf({ totalBytes: 1_000 })).toBe('1,234 messages, 247/s, 5 s left\n');
});

it('leaves out the time left where nobody knows the end', async () => {
  expect(await linesOf({ totalBytes: undefined })).toBe('1,234 messages, 247/s\n');
});

it('says nothing beside a JSON document', async () => {
  expect(await linesOf({ totalBytes: 1_000, json: true })).toBe('');
});

it.each([
  [0.2, '1 s'],
  [59, '59 s'],
  [61, '1 min 1 s'],
  [7_260, '2 h 1 min'],
])('%d seconds read as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text);
});
