import { describe, expect, it } from '@jest/globals';
import type { Call } from '@postroom/rpc/call';
import { manualClock } from '@postroom/runtime/clock';
import { usageHandlers, type UsageDeps } from './usage.ts';
import type { CountsOfDay } from './usage-store.ts';

const clock = manualClock('2026-06-02T10:30:00Z');
const call = { workspaceId: 'wsp_1' } as Call;
const day = (text: string) => new Date(`${text}T00:00:00Z`);
const documents: CountsOfDay[] = [
  {
    subject: 'key_1',
    day: day('2026-06-01'),
    counts: { 'GET /emails 10': 5, 'GET /emails 11': 7, 'POST /drafts 23': 1 },
  },
  // Another process.
  { subject: 'key_1', day: day('2026-06-01'), counts: { 'GET /emails 11': 2 } },
  { subject: 'key_1', day: day('2026-06-02'), counts: { 'GET /emails 10': 4 } },
  { subject: 'key_2', day: day('2026-06-02'), counts: { 'unknown 0': 3 } },
];
const workspace = { _id: 'wsp_1', plan: 'free', planUntil: null };

const handlers = (usage: Partial<UsageDeps['usage']> = {}) =>
  usageHandlers({
    context: { clock },
    workspaces: { find: async () => workspace } as unknown as UsageDeps['workspaces'],
    usage: {
      calls: async (_workspaceId, { from, to }, keyId) =>
        documents.filter((one) => one.day >= from && one.day <= to && (keyId === undefined || one.subject === keyId)),
      keyUses: async () => [{ _id: 'key_1', workspaceId: 'wsp_1', last: { at: clock.date(), address: '192.0.2.1' } }],
      limitReading: async () => null,
      modelCounts: async () => [],
      ...usage,
    },
  });

describe('the use of keys', () => {
  it('counts the calls of this hour and the 23 before it', async () => {
    const lastUsedAt = '2026-06-02T10:30:00.000Z';
    expect(await handlers().listKeyUse({}, call)).toEqual({
      items: [{ keyId: 'key_1', lastUsedAt, lastAddress: '192.0.2.1', callsOfDay: 7 + 2 + 1 + 4 }],
    });
  });
});

describe('usage by day', () => {
  const asked = { from: '2026-06-01', to: '2026-06-02', keyId: undefined, endpoint: undefined };

  it('is told by key and by endpoint', async () => {
    expect(await handlers().readUsage(asked, call)).toEqual({
      byKey: [
        { day: '2026-06-01', keyId: 'key_1', calls: 15 },
        { day: '2026-06-02', keyId: 'key_1', calls: 4 },
        { day: '2026-06-02', keyId: 'key_2', calls: 3 },
      ],
      byEndpoint: [
        { day: '2026-06-01', endpoint: 'GET /emails', calls: 14 },
        { day: '2026-06-01', endpoint: 'POST /drafts', calls: 1 },
        { day: '2026-06-02', endpoint: 'GET /emails', calls: 4 },
        { day: '2026-06-02', endpoint: 'unknown', calls: 3 },
      ],
    });
  });

  it('is narrowed to a key, and to an endpoint', async () => {
    const { byKey } = await handlers().readUsage({ ...asked, endpoint: 'GET /emails' }, call);
    expect(byKey.map(({ calls }) => calls)).toEqual([14, 4]);
    const { byEndpoint } = await handlers().readUsage({ ...asked, keyId: 'key_2' }, call);
    expect(byEndpoint).toEqual([{ day: '2026-06-02', endpoint: 'unknown', calls: 3 }]);
  });

  it.each([
    ['a day that there is not', { from: '2026-02-30', to: '2026-06-02' }, 'from'],
    ['an end before the begin', { from: '2026-06-02', to: '2026-06-01' }, 'to'],
    ['more than 92 days', { from: '2026-06-01', to: '2026-09-01' }, 'to'],
  ])('400 VALIDATION_FAILED for %s', async (_title, days, field) => {
    const refusal = handlers().readUsage({ ...asked, ...days }, call);
    await expect(refusal).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { [field]: [expect.any(String)] },
    });
  });

  it('is answered for 92 days', async () => {
    const answer = await handlers().readUsage({ ...asked, from: '2026-06-01', to: '2026-08-31' }, call);
    expect(answer.byKey).toHaveLength(3);
  });
});

describe('the limits', () => {
  const last = {
    at: clock.date(),
    minuteUsed: 9,
    minuteEnds: new Date('2026-06-02T10:30:40Z'),
    monthUsed: 812,
    monthEnds: new Date('2026-07-01T00:00:00Z'),
  };
  const reading = (more: object = {}) => ({ _id: 'wsp_1', workspaceId: 'wsp_1', last: { ...last, ...more } });

  it('are those of the plan in force, with what is used of them', async () => {
    expect(await handlers({ limitReading: async () => reading() }).readLimits({}, call)).toEqual({
      plan: 'free',
      minute: { limit: 60, used: 9, resetsAt: '2026-06-02T10:30:40.000Z' },
      month: { limit: 10_000, used: 812, resetsAt: '2026-07-01T00:00:00.000Z' },
    });
  });

  it('have nothing used before the first call, and after their end', async () => {
    const unused = { plan: 'free', minute: { limit: 60, used: 0 }, month: { limit: 10_000, used: 0 } };
    expect(await handlers().readLimits({}, call)).toEqual(unused);
    const over = reading({ minuteEnds: clock.date(), monthEnds: clock.date() });
    expect(await handlers({ limitReading: async () => over }).readLimits({}, call)).toEqual(unused);
  });
});

describe('the use of the model', () => {
  it('is told by day for all rules together, and for each', async () => {
    const counts = { calls: 2, inputTokens: 101, outputTokens: 20, cost: 0.5 };
    const use = await handlers({
      modelCounts: async () => [
        { subject: 'wsp_1', day: day('2026-06-01'), counts },
        { subject: 'air_1', day: day('2026-06-01'), counts: { ...counts, inputTokens: 51 } },
        { subject: 'air_2', day: day('2026-06-01'), counts: { ...counts, inputTokens: 50 } },
        { subject: 'wsp_1', day: day('2026-06-01'), counts },
      ],
    }).listModelUse({ from: '2026-06-01', to: '2026-06-01' }, call);
    expect(use.days).toEqual([{ day: '2026-06-01', calls: 4, inputTokens: 202, outputTokens: 40, cost: 1 }]);
    expect(use.rules.map(({ ruleId, inputTokens }) => [ruleId, inputTokens])).toEqual([
      ['air_1', 51],
      ['air_2', 50],
    ]);
  });
});
