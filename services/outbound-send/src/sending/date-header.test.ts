import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { memorySends } from './memory-sends.test-support.ts';
import { withCurrentDate } from './date-header.ts';
import type { SendDeps } from './send-deps.ts';

const made = (date: string) =>
  Buffer.from(`Subject: x\r\nDate: ${date}\r\nTo: b@x.example\r\n\r\nDate: in the body\r\n`);
const AT = '2026-03-01T12:00:00Z';

async function dated(kind: 'reply' | 'forward' | 'send' | 'remainder', waitedMs: number) {
  const [clock, store] = [manualClock(AT), memorySends()];
  const message = made('Sun, 01 Mar 2026 12:00:00 +0000');
  const send = { ...store.make(kind, clock.date(), clock.date()), wire: message, kept: message };
  await store.sends.insert('w', send);
  await clock.advance(waitedMs);
  const { wire, kept } = await withCurrentDate(send, { sends: store.sends, context: { clock } } as unknown as SendDeps);
  return [wire, kept, store.only().wire].map(String);
}

it.each(['reply', 'forward'] as const)(
  'a %s that waited ten minutes carries the moment at which it leaves',
  async (kind) => {
    const later = String(made('Sun, 01 Mar 2026 12:10:00 +0000'));
    expect(await dated(kind, 600_000)).toEqual([later, later, later]);
  },
);

it.each([
  ['reply', 4_000],
  ['remainder', 600_000],
] as const)('a %s of %s ms stays as it was made', async (kind, waitedMs) => {
  const same = String(made('Sun, 01 Mar 2026 12:00:00 +0000'));
  expect(await dated(kind, waitedMs)).toEqual([same, same, same]);
});
