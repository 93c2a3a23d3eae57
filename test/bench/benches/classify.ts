import { systemClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { nothingChanges } from '@postroom/runtime/variable-changes';
import { alwaysAvailable } from '../../../services/classifier/src/classify/in-memory.test-support.ts';
import type { Model } from '../../../services/classifier/src/model/model.ts';
import { openAiModel } from '../../../services/classifier/src/model/openai-model.ts';
import type { Bench } from '../bench.ts';
import { bareLine, classifierLine, slowEndpoint } from '../classifying.ts';
import { compare, type Contender, type Effort, shareOf } from '../compare.ts';
import { ownMicros } from '../own-micros.ts';

const IN_FLIGHT = 100;
const MODEL_MS = 1_000;
const LEAST_PER_SECOND = 90;
const COUNT = 1_000;

/** The classifier alone: the services around it answer at once, so that what is measured is its own. */
export const classify: Bench = {
  name: 'classify',
  title: `a model of ${MODEL_MS} ms with ${IN_FLIGHT} in flight: at least ${LEAST_PER_SECOND} emails/s; and an instant one`,
  run: async ({ effort }, print) => {
    const perSecond = await withSlowModel(effort, print);
    const instant = await withInstantModel(effort, print);
    return perSecond >= LEAST_PER_SECOND && instant;
  },
};

async function withSlowModel(effort: Effort, print: (line: string) => void): Promise<number> {
  const endpoint = await slowEndpoint(MODEL_MS);
  const settings = { baseUrl: endpoint.baseUrl, apiKey: 'bench', model: 'bench' };
  const model = openAiModel(settings, {
    clock: systemClock,
    log: silentLog,
    metrics: createMetrics('bench'),
    changes: nothingChanges,
  });
  const line = await classifierLine(model, IN_FLIGHT);
  try {
    const rates: number[] = [];
    const { runs } = effort;
    const count = shareOf(effort, COUNT);
    for (let run = 1; run <= runs; run++) rates.push((count * 1_000) / (await line.pass(count)));
    const middle = rates.toSorted((a, b) => a - b)[Math.floor(rates.length / 2)] ?? 0;
    const all = rates.map((rate) => rate.toFixed(1)).join(', ');
    print(`  emails/s over ${runs} rounds of ${count}: ${middle.toFixed(1)} (${all}); the model allows ${IN_FLIGHT}`);
    return middle;
  } finally {
    await line.close();
    await endpoint.close();
  }
}

async function withInstantModel(effort: Effort, print: (line: string) => void): Promise<boolean> {
  const model: Model = {
    availability: alwaysAvailable,
    judge: async ({ rules }) => {
      const verdicts = rules.map(({ ruleId }) => ({ ruleId, applies: true, confidence: 90, reason: 'so' }));
      return { verdicts, model: 'instant', inputTokens: 0, outputTokens: 0 };
    },
    reply: async () => undefined,
  };
  const lines = [
    await classifierLine(model, IN_FLIGHT),
    await classifierLine(model, IN_FLIGHT),
    await bareLine(IN_FLIGHT),
  ];
  const [ours, oursAgain, bare] = ['classifier', 'classifier, again', 'bare loop'].map((name, n): Contender => ({
    name,
    run: async (count) => {
      const before = ownMicros();
      await lines[n]?.pass(count);
      return ownMicros() - before;
    },
  })) as [Contender, Contender, Contender];
  const comparison = { ours, oursAgain, others: [bare], targets: [{ against: 'bare loop', atMost: 1 / 0.4 }] };
  const met = await compare('instant model', { ...comparison, count: 5_000, effort }, print);
  for (const line of lines) await line.close();
  return met;
}
