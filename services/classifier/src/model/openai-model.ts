import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Metrics } from '@postroom/runtime/metrics';
import OpenAI from 'openai';
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { readFailure } from './failures.ts';
import { createGate } from './gate.ts';
import { createLadder, type Answer } from './ladder.ts';
import { type Model, unknown } from './model.ts';
import { answerSchema, promptFor, REPAIR } from './prompt.ts';
import { readAnswer } from './read-answer.ts';

export interface OpenAiSettings {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeoutMs?: number;
}

interface OpenAiDeps {
  clock: Clock;
  log: Log;
  metrics: Metrics;
}

const TIMEOUT_MS = 20_000;
const LONGEST_REPEATED = 4_000;

/** A model behind an endpoint that speaks as OpenAI's does. What it answers that cannot be read means nothing. */
export function openAiModel(settings: OpenAiSettings, { clock, log, metrics }: OpenAiDeps): Model {
  const { baseUrl: baseURL, apiKey = 'none', model, timeoutMs = TIMEOUT_MS } = settings;
  // Everything is said here, so that the client looks for nothing in the environment. Retries are the gate's.
  const own = { organization: null, project: null, logLevel: 'off' as const, maxRetries: 0 };
  const client = new OpenAI({ baseURL, apiKey, timeout: timeoutMs, ...own });
  const gate = createGate({ clock, log, readFailure: (error) => readFailure(error, clock) });
  const ladder = createLadder(client, model, timeoutMs);
  const answers = metrics.counter('model_answers_total', 'Answers of the model, by what could be done with them.');
  const tokens = metrics.counter('model_tokens_total', 'Tokens that the model counted, by kind.');
  const seconds = metrics.histogram('model_seconds', 'How long the model took for one answer.');

  const ask = async (messages: ChatCompletionMessageParam[], schema: Record<string, unknown>, signal: AbortSignal) => {
    const begun = performance.now();
    const answer = await gate.run(() => ladder.ask(messages, schema, signal));
    seconds.record((performance.now() - begun) / 1_000);
    tokens.add(answer.inputTokens, { kind: 'input' });
    tokens.add(answer.outputTokens, { kind: 'output' });
    return answer;
  };

  return {
    judge: async (question, signal) => {
      const { rules } = question;
      const schema = answerSchema(rules);
      const prompt = promptFor(question);
      const first = await ask(prompt, schema, signal);
      const read = first.kind === 'text' ? readAnswer(first.text, rules) : undefined;
      if (read || first.kind === 'refused') {
        answers.add(1, { outcome: read ? 'read' : 'refused' });
        return { verdicts: read ?? unknown(rules, 'the model refused'), model, ...counted(first) };
      }
      const said: ChatCompletionMessageParam = { role: 'assistant', content: first.text.slice(0, LONGEST_REPEATED) };
      const second = await ask([...prompt, said, { role: 'user', content: REPAIR }], schema, signal);
      const repaired = second.kind === 'text' ? readAnswer(second.text, rules) : undefined;
      answers.add(1, { outcome: repaired ? 'repaired' : 'unreadable' });
      const verdicts = repaired ?? unknown(rules, 'the answer could not be read');
      return { verdicts, model, ...counted(first, second) };
    },
  };
}

function counted(...answers: Answer[]) {
  const sum = (of: (answer: Answer) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  return { inputTokens: sum(({ inputTokens }) => inputTokens), outputTokens: sum(({ outputTokens }) => outputTokens) };
}
