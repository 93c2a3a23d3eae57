import { expect, it } from '@jest/globals';
import { createCallLimits, runCall, limitOwner } from './call-limits.ts';

const never = () => new Promise<never>(() => undefined);
const now = () => Promise.resolve('answered');

it('answers the eleventh workspace at once while ten have all their calls and streams under way', async () => {
  const { calls, streams } = createCallLimits();
  for (let tenant = 0; tenant < 10; tenant += 1)
    for (let n = 0; n < 50; n += 1) {
      calls.run(`wsp_${tenant}`, never).catch(() => undefined);
      streams.run(`wsp_${tenant}`, never).catch(() => undefined);
    }
  expect(calls.held('wsp_0')).toBe(16);
  expect(streams.held('wsp_0')).toBe(4);
  expect(await calls.run('wsp_eleventh', now)).toBe('answered');
  expect(await streams.run('wsp_eleventh', now)).toBe('answered');
});

it('answers the others of a workspace at once while one person has hundreds of calls under way', async () => {
  const callLimits = createCallLimits();
  const visitOf = (personId: string) =>
    ({ personId, role: 'member', workspaceId: 'wsp_1' }) as Parameters<typeof limitOwner>[0];
  const refused: unknown[] = [];
  for (let n = 0; n < 300; n += 1)
    runCall(callLimits, visitOf('per_greedy'), never).catch((error: unknown) => refused.push(error));
  expect(await runCall(callLimits, visitOf('per_other'), now)).toBe('answered');
  expect(callLimits.calls.held('wsp_1')).toBe(6);
  expect(refused).toHaveLength(300 - 6 - 60);
  expect(refused[0]).toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
});

it('429 RATE_LIMIT_EXCEEDED for the fifth stream of a workspace, until one has ended', async () => {
  const { streams } = createCallLimits();
  const ends: (() => void)[] = [];
  const held = [0, 1, 2, 3].map(() => streams.run('wsp_1', () => new Promise<void>((end) => ends.push(end))));
  await expect(streams.run('wsp_1', now)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
  ends[0]?.();
  await held[0];
  expect(await streams.run('wsp_1', now)).toBe('answered');
});

it('counts by workspace, by person outside of one, and by address before the sign-in', () => {
  const visit = { visitor: { address: '192.0.2.1' } } as Parameters<typeof limitOwner>[0];
  const personal = { ...visit, personId: 'per_1' } as Parameters<typeof limitOwner>[0];
  expect(limitOwner(visit)).toBe('192.0.2.1');
  expect(limitOwner(personal)).toBe('per_1');
  expect(limitOwner({ ...personal, role: 'member', workspaceId: 'wsp_1' } as Parameters<typeof limitOwner>[0])).toBe(
    'wsp_1',
  );
});
