import type { Metrics } from '@postroom/runtime/metrics';
import type { ModelAnswer } from './format-fallback.ts';

/** Of a million tokens. */
export interface Prices {
  input: number;
  output: number;
}

const MILLION = 1_000_000;

export function createModelMetrics(metrics: Metrics, prices: Prices) {
  const answers = metrics.counter('model_answers_total', 'Answers of the model, by what could be done with them.');
  const tokens = metrics.counter('model_tokens_total', 'Tokens that the model counted, by kind.');
  const cost = metrics.counter('model_cost_total', 'What those tokens cost, at the prices that are configured.');
  const seconds = metrics.histogram('model_seconds', 'How long the model took for one answer.');

  return {
    answered({ inputTokens, outputTokens }: ModelAnswer, tookSeconds: number): void {
      seconds.record(tookSeconds);
      tokens.add(inputTokens, { kind: 'input' });
      tokens.add(outputTokens, { kind: 'output' });
      cost.add((inputTokens * prices.input) / MILLION, { kind: 'input' });
      cost.add((outputTokens * prices.output) / MILLION, { kind: 'output' });
    },
    judged: (outcome: string): void => answers.add(1, { outcome, asked: 'verdicts' }),
    replied: (outcome: string): void => answers.add(1, { outcome, asked: 'reply' }),
  };
}
