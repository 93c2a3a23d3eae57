import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import type { Call } from '@postroom/rpc/call';
import type { AskedEmail } from '../classify/mail-store.ts';
import { inMemory } from '../classify/in-memory.test-support.ts';
import { ruleTestHandlers, type RuleTestDeps } from './rule-test.ts';

const NO_TOKENS = { inputTokens: 0, outputTokens: 0 };
const NONE = { count: 0, rough: NO_TOKENS, reported: NO_TOKENS };
const NOON = Date.UTC(2026, 2, 1, 12);

function world(more: Partial<RuleTestDeps> = {}) {
  const { deps, email } = inMemory();
  const clock = manualClock(NOON);
  const tested: number[] = [];
  const handlers = ruleTestHandlers({
    ...deps,
    clock,
    log: silentLog,
    mail: { ...deps.mail, find: async (_workspaceId, _id): Promise<AskedEmail> => ({ ...email, _id }) },
    tests: { decisions: async () => new Map(), testedOn: async () => 4_990, pastAnswers: async () => NONE },
    model: { ...deps.model, estimate: () => ({ calls: 1, inputTokens: 100, outputTokens: 10 }) },
    modelUse: { of: () => () => undefined, addTested: (_workspaceId, emails) => void tested.push(emails) },
    prices: { input: 1, output: 1 },
    isLiveMailDue: async () => false,
    ...more,
  });
  const call = (workspaceId: string) =>
    ({ workspaceId, deadline: NOON + 10_000, signal: new AbortController().signal, remainingMs: () => 1 }) as Call;
  const test = (workspaceId: string, count: number) =>
    handlers.testRule(
      { condition: 'asks', emailIds: Array.from({ length: count }, (_, n) => `eml_${n}`) },
      call(workspaceId),
    );
  return { clock, test, tested };
}

describe('a test of a rule', () => {
  it('429 QUOTA_EXCEEDED with the end of the day, when the emails of the day would be more than 5,000', async () => {
    const { test, tested } = world();
    expect((await test('wsp_1', 10)).emails).toHaveLength(10);
    const resetAt = '2026-03-02T00:00:00.000Z';
    await expect(test('wsp_1', 11)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED', details: { resetAt } });
    expect(tested).toEqual([10]);
  });

  it('429 RATE_LIMIT_EXCEEDED while live mail waits, and asks about nothing', async () => {
    const { test, tested } = world({ isLiveMailDue: async () => true });
    await expect(test('wsp_1', 1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    expect(tested).toEqual([]);
  });

  it('runs one batch of a workspace at a time, beside one of another, and refuses a fifth that waits', async () => {
    const begun: string[] = [];
    const answers: (() => void)[] = [];
    const { test } = world({
      tests: {
        decisions: async () => new Map(),
        pastAnswers: async () => NONE,
        testedOn: (workspaceId) => {
          begun.push(workspaceId);
          return new Promise((resolve) => answers.push(() => resolve(0)));
        },
      },
    });
    const ticked = () => new Promise((resolve) => setImmediate(resolve));
    const running = ['wsp_1', 'wsp_1', 'wsp_1', 'wsp_1', 'wsp_1', 'wsp_2', 'wsp_3'].map((id) => test(id, 1));
    await ticked();
    expect(begun).toEqual(['wsp_1', 'wsp_2']);
    await expect(test('wsp_1', 1)).rejects.toMatchObject({ code: 'RATE_LIMIT_EXCEEDED' });
    answers[0]?.();
    await ticked();
    await ticked();
    expect(begun.slice(2)).toEqual(['wsp_3']);
    for (let n = 0; begun.length < 7 || n < answers.length; n += 1) {
      answers[n]?.();
      await ticked();
      await ticked();
    }
    expect(await Promise.all(running)).toHaveLength(7);
    expect(begun.filter((id) => id === 'wsp_1')).toHaveLength(5);
  });

  it('ends within the time of its call: an email without an answer by then has failed, the others have verdicts', async () => {
    const { deps } = inMemory();
    const slow = { ...deps.model, estimate: () => ({ calls: 1, inputTokens: 1, outputTokens: 1 }) };
    const judge: typeof slow.judge = (question, signal, spend) =>
      question.mail.subject === 'slow'
        ? new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))
        : deps.model.judge(question, signal, spend);
    const find = async (_workspaceId: string, _id: string): Promise<AskedEmail> => ({
      ...inMemory().email,
      _id,
      subject: _id === 'eml_1' ? 'slow' : 'quick',
    });
    const { test, clock } = world({ model: { ...slow, judge }, mail: { ...deps.mail, find } });
    const answer = test('wsp_1', 2);
    await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(9_000);
    expect((await answer).emails).toMatchObject([
      { emailId: 'eml_0', verdict: { applies: true, confidence: 90 } },
      { emailId: 'eml_1', verdict: undefined, failure: 'The model did not answer in time.' },
    ]);
  });
});
