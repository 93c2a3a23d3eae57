import { describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { type AtCall, interleave, watched } from '../../../../test/support/interleavings.ts';
import { createCompiledConditions } from './compiled-conditions.ts';
import { CHECKED_EVERY, LEARNED_FROM } from './learner.ts';
import { automaticEmail, COMPILED_RULE, memoryPatterns } from './memory-patterns.test-support.ts';
import type { MatchedEmail } from './patterns.ts';

const verdictOf = (applies: boolean, confidence = 90, ruleId = 'air_1') => ({
  ruleId,
  applies,
  confidence,
  reason: '',
});

function world() {
  const { store, patterns } = memoryPatterns();
  const compiled = createCompiledConditions(store, manualClock());
  let emails = 0;
  const mail = (parts: Partial<MatchedEmail> = {}) => automaticEmail({ _id: `eml_${(emails += 1)}`, ...parts });
  const of = (parts?: Partial<MatchedEmail>, rules: Parameters<typeof compiled.of>[2] = [COMPILED_RULE]) =>
    compiled.of('wsp_1', mail(parts), rules);
  const learn = async (applies: boolean, parts?: Partial<MatchedEmail>, confidence?: number) =>
    (await of(parts)).learn([verdictOf(applies, confidence)]);
  const train = async (applies = true, parts?: Partial<MatchedEmail>) => {
    for (let n = 0; n < LEARNED_FROM; n += 1) await learn(applies, parts);
  };
  return { store, patterns, mail, of, learn, train };
}

const OTHER_RULE = { ...COMPILED_RULE, _id: 'air_2', condition: 'The email is urgent', compiledSince: undefined };

describe('an email of a compiled pattern', () => {
  it('has the verdict of the pattern with the lowest confidence of the model, and says why', async () => {
    const { of, learn, train } = world();
    await learn(true, {}, 75);
    await train();
    const [verdict] = (await of()).verdicts ?? [];
    expect(verdict).toMatchObject({ ruleId: 'air_1', applies: true, confidence: 75 });
    expect(verdict?.reason).toContain('news@shop.example');
  });

  it('is left to the model after one other verdict, also with the same verdict as before', async () => {
    const { of, learn, train } = world();
    await train();
    await learn(false);
    await train();
    expect((await of()).verdicts).toBeUndefined();
  });

  it.each<[string, Parameters<ReturnType<typeof world>['of']>[1]]>([
    ['another rule is not compiled', [COMPILED_RULE, OTHER_RULE]],
    ['its rule is not compiled', [OTHER_RULE]],
    ['its condition is another one now', [{ ...COMPILED_RULE, condition: 'The email is a receipt' }]],
    ['its rule was switched on anew', [{ ...COMPILED_RULE, compiledSince: new Date(1) }]],
    ['its rule would prepare a draft', [{ ...COMPILED_RULE, autoDraftEnabled: true }]],
  ])('is left to the model where %s', async (_where, rules) => {
    const { of, train } = world();
    await train();
    expect((await of({}, rules)).verdicts).toBeUndefined();
  });

  it('is answered where a rule that prepares drafts does not apply', async () => {
    const { of, train } = world();
    await train(false);
    expect((await of({}, [{ ...COMPILED_RULE, autoDraftEnabled: true }])).verdicts).toMatchObject([{ applies: false }]);
  });

  it('is left to the model where all answers of the model were unreadable', async () => {
    const { of, learn, patterns } = world();
    for (let n = 0; n < LEARNED_FROM; n += 1) await learn(false, {}, 0);
    expect((await of()).verdicts).toBeUndefined();
    expect(patterns.size).toBe(0);
  });

  it('is left to the model where its sender has sent one subject alone, and this is another', async () => {
    const { of, train } = world();
    await train(true, { subject: 'Receipt 12' });
    expect((await of({ subject: 'Receipt 13' })).verdicts).toBeDefined();
    expect((await of({ subject: 'Your account is locked' })).verdicts).toBeUndefined();
  });

  it('gets a wrong label where its sender sent many other subjects with one verdict: the next check finds more of it', async () => {
    const { of, learn } = world();
    for (const subject of ['one', 'two', 'three', 'four', 'five', 'six']) await learn(true, { subject });
    expect((await of({ subject: 'Your receipt' })).verdicts).toMatchObject([{ applies: true }]);
  });
});

describe('the check of a pattern', () => {
  it('asks the model about each twentieth email, and about each one until the model has answered', async () => {
    const { of, train, patterns } = world();
    await train();
    const answers: boolean[] = [];
    for (let n = 0; n < CHECKED_EVERY + 5; n += 1) answers.push((await of()).verdicts !== undefined);
    expect(answers.indexOf(false)).toBe(CHECKED_EVERY - 1);
    expect(answers.slice(CHECKED_EVERY - 1)).toEqual(Array.from({ length: 6 }, () => false));
    expect(Math.max(...[...patterns.values()].map(({ answered }) => answered))).toBe(CHECKED_EVERY - 1);
    await (await of()).learn([verdictOf(true)]);
    expect((await of()).verdicts).toBeDefined();
  });

  it('is not passed by emails at the same time, in any order of their calls to the database', async () => {
    const schedules = Array.from({ length: 2 ** 4 }, (_, n) => (call: number) => (n >> call) & 1);
    for (const schedule of schedules) {
      const { store, mail, train, of } = world();
      await train();
      for (let n = 0; n < CHECKED_EVERY - 2; n += 1) await of();
      let answered = 0;
      const one = mail();
      const processes = [1, 2].map(() => async (at: AtCall) => {
        const compiled = createCompiledConditions(watched(store, at), manualClock());
        if ((await compiled.of('wsp_1', one, [COMPILED_RULE])).verdicts) answered += 1;
      });
      await interleave(processes, schedule);
      expect(answered).toBe(1);
    }
  });

  it('stays dropped, in any order in which the disagreement and an agreement are stored', async () => {
    const drafting = { ...COMPILED_RULE, autoDraftEnabled: true };
    for (let n = 0; n < 2 ** 4; n += 1) {
      const { store, mail, of, train } = world();
      await train();
      const processes = [false, true].map((applies) => async (at: AtCall) => {
        const compiled = createCompiledConditions(watched(store, at), manualClock());
        await (await compiled.of('wsp_1', mail(), [drafting])).learn([verdictOf(applies)]);
      });
      await interleave(processes, (call) => (n >> call) & 1);
      expect((await of()).verdicts).toBeUndefined();
    }
  });
});
