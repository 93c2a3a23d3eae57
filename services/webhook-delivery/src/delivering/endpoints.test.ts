import { expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { createEndpoints } from './endpoints.ts';
import type { KnownEndpoint } from './progress-store.ts';

const clock = manualClock('2026-03-01T00:00:00Z');
const ago = (seconds: number) => new Date(clock.now() - seconds * 1_000);
const endpoint = (_id: string, parts: Partial<KnownEndpoint>): KnownEndpoint => ({
  _id,
  workspaceId: 'wsp_1',
  status: 'enabled',
  dueAt: null,
  failingSince: null,
  touchedAt: ago(0),
  ...parts,
});

it('counts the endpoints that fail, and tells of due deliveries of those that answer alone', async () => {
  const all = [
    endpoint('whk_1', { dueAt: ago(20) }),
    endpoint('whk_2', { dueAt: ago(7_000), failingSince: ago(9_000) }),
    endpoint('whk_3', { dueAt: ago(7_000), status: 'disabled', failingSince: ago(9_000) }),
    endpoint('whk_4', { dueAt: ago(7_000), workspaceId: 'wsp_2' }),
    endpoint('whk_5', { dueAt: new Date(clock.now() + 60_000) }),
  ];
  const everyEndpoint = async (after: string) => all.filter(({ _id }) => _id > after);
  const endpoints = createEndpoints({ everyEndpoint, everyTouched: async () => [] }, clock, () => undefined);
  await endpoints.scan();
  const readings = endpoints.readings((workspaceId) => workspaceId === 'wsp_1');
  expect(readings).toEqual({ oldestDueMs: 20_000, failing: 1, disabled: 1 });
});

it('forgets an endpoint that is gone at two scans, because an attempt under way notes something after the first', async () => {
  let all = [endpoint('whk_1', {}), endpoint('whk_2', {})];
  const forgotten: string[] = [];
  const everyEndpoint = async (after: string) => all.filter(({ _id }) => _id > after);
  const stored = { everyEndpoint, everyTouched: async () => [] };
  const endpoints = createEndpoints(stored, clock, (id) => void forgotten.push(id));
  await endpoints.scan();
  all = all.slice(1);
  for (let scans = 0; scans < 4; scans += 1) await endpoints.scan();
  expect(forgotten).toEqual(['whk_1', 'whk_1']);
});
