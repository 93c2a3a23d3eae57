import { afterEach, describe, expect, it } from '@jest/globals';
import type { DayCountsDocument } from '@postroom/mail-store/documents/usage';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { openModelUse } from './model-use.ts';

const clock = manualClock('2026-06-01T10:00:00Z');
const context = createServiceContext({ name: 'classifier', log: silentLog, clock });
afterEach(() => context.lifecycle.close());

describe('calls of the model', () => {
  it('are counted for the workspace, and shared equally by the rules that were asked about', async () => {
    const kept = new Map<string, DayCountsDocument['counts']>();
    const store = {
      keepAll: async (documents: readonly DayCountsDocument[]) =>
        documents.forEach(({ subject, counts }) => kept.set(subject, { ...kept.get(subject), ...counts })),
    };
    const use = openModelUse(store, { prices: { input: 2, output: 10 }, flushedEveryMs: 10_000 }, context);
    use.of('wsp_1', ['air_1', 'air_2', 'air_3'])({ inputTokens: 1_000, outputTokens: 301 });
    use.of('wsp_1', ['air_2'])({ inputTokens: 50, outputTokens: 0, rough: { inputTokens: 40, outputTokens: 45 } });
    await use.flush();
    expect(Object.fromEntries(kept)).toEqual({
      wsp_1: {
        calls: 2,
        inputTokens: 1_050,
        outputTokens: 301,
        cost: expect.closeTo(0.00511, 10),
        judged: 1,
        judgedInputTokens: 50,
        judgedOutputTokens: 0,
        roughInputTokens: 40,
        roughOutputTokens: 45,
      },
      air_1: { calls: 1, inputTokens: 334, outputTokens: 101, cost: expect.closeTo(0.001678, 10) },
      air_2: { calls: 2, inputTokens: 383, outputTokens: 100, cost: expect.closeTo(0.001766, 10) },
      air_3: { calls: 1, inputTokens: 333, outputTokens: 100, cost: expect.closeTo(0.001666, 10) },
    });
  });
});
