import { expect, it } from '@jest/globals';
import { seenMail } from '../mail/seen-mail.test-support.ts';
import { createTokenEstimates } from './token-estimates.ts';

const questionOf = (words: number) => ({
  rules: [{ ruleId: 'air_1', condition: 'asks' }],
  mail: seenMail({ text: 'word '.repeat(words) }),
});

it.each([
  ['a tokenizer of many tokens', 3, 90],
  ['a tokenizer of few tokens, and short answers', 0.5, 12],
  ['an endpoint that reports no tokens', 0, 0],
])('the estimate comes within a tenth of %s after some answers, for longer mail, too', (_of, ratio, output) => {
  const estimates = createTokenEstimates();
  const first = estimates.of(questionOf(100));
  const guess = createTokenEstimates();
  const report = (words: number) => ({
    inputTokens: Math.round(guess.of(questionOf(words)).inputTokens * ratio),
    outputTokens: output,
  });
  for (let n = 0; n < 200; n += 1) estimates.learn(questionOf(n), report(n));
  const learned = estimates.of(questionOf(1_000));
  expect(first).toEqual(guess.of(questionOf(100)));
  expect(Math.abs(learned.inputTokens - report(1_000).inputTokens)).toBeLessThanOrEqual(
    1 + report(1_000).inputTokens / 10,
  );
  expect(Math.abs(learned.outputTokens - output)).toBeLessThanOrEqual(1 + output / 10);
});

it.each([
  ['of a tokenizer of many tokens', 3, 90],
  ['of a tokenizer of few tokens, and short answers', 0.5, 12],
])(
  'the first estimate of a new process is within a tenth by the answers %s of other processes',
  (_of, ratio, output) => {
    const estimates = createTokenEstimates();
    const rough = createTokenEstimates().of(questionOf(100));
    const answers = (count: number) => ({
      count,
      rough: { inputTokens: count * rough.inputTokens, outputTokens: count * rough.outputTokens },
      reported: { inputTokens: count * rough.inputTokens * ratio, outputTokens: count * output },
    });
    for (const count of [20, 1_000]) {
      const { inputTokens, outputTokens } = estimates.of(questionOf(100), answers(count));
      expect(Math.abs(inputTokens / (rough.inputTokens * ratio) - 1)).toBeLessThan(0.1);
      expect(Math.abs(outputTokens - output)).toBeLessThanOrEqual(1 + output / 10);
    }
    expect(estimates.of(questionOf(100), answers(0))).toEqual(rough);
  },
);
