import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { keptFolder } from './kept-folder.test-support.ts';

const MINUTE_MS = 60_000;

it('a folder is compared once more, a minute after another process held its mailbox', async () => {
  const clock = manualClock();
  const { listings, keepUp, state, session } = keptFolder(
    { uidValidity: 1, uids: [1, 2], hasQresync: true },
    { clock },
  );
  session.lateUntil = clock.now() + MINUTE_MS;
  const scan = async () => {
    state.isDue = true;
    await keepUp();
    return listings.length;
  };
  expect(await scan()).toBe(0);
  await clock.advance(MINUTE_MS - 1);
  expect(await scan()).toBe(0);
  await clock.advance(1);
  expect([await scan(), await scan()]).toEqual([1, 1]);
});

it('a message that is not stored, such as a quarantined one, does not count against the provider at a change of holder', async () => {
  const clock = manualClock();
  const server = { uidValidity: 1, uids: [1, 2], hasQresync: true, unknown: [{ first: 2, last: 2 }] };
  const { listings, keepUp, state, session } = keptFolder(server, { clock });
  session.lateUntil = clock.now() + MINUTE_MS;
  await keepUp();
  await clock.advance(MINUTE_MS);
  state.isDue = true;
  await keepUp();
  expect([listings.length, state.sync?.surprises]).toEqual([1, 0]);
});

it('a comparison that misses an email is repeated in the next pass, whatever the provider says has gone', async () => {
  const clock = manualClock();
  const server = { uidValidity: 1, uids: [1, 2], hasQresync: true, missing: 0 };
  const { listings, keepUp, state, session } = keptFolder(server, { clock });
  session.lateUntil = clock.now() + MINUTE_MS;
  await keepUp();
  await clock.advance(MINUTE_MS);
  for (const missing of [1, 0, 0]) {
    server.missing = missing;
    state.isDue = true;
    await keepUp();
  }
  expect(listings).toHaveLength(2);
});
