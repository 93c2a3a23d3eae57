import type { Clock } from '@postroom/runtime/clock';
import type { Log } from '@postroom/runtime/log';
import type { Metrics } from '@postroom/runtime/metrics';
import type { VariableChanges } from '@postroom/runtime/variable-changes';
import { toMailText } from '../mail/mail-text.ts';
import { createAvailability } from './availability.ts';
import { chatEndpoint, type ChatMessage } from './chat-endpoint.ts';
import { readFailure } from './failures.ts';
import {
  createFormatFallback,
  isAboutTheRequest,
  type ModelAnswer,
  type AnswerShape,
  type ReadableShape,
  REFUSED,
} from './format-fallback.ts';
import { type EstimatingModel, type Question, type Spend, unknown } from './model.ts';
import { createModelMetrics, type Prices } from './model-metrics.ts';
import { promptFor, verdictsOf } from './prompt.ts';
import { withEstimates } from './token-estimates.ts';
import { replyPromptFor, replyShape } from './reply-prompt.ts';

interface OpenAiSettings {
  baseUrl: string;
  apiKey: string | undefined;
  model: string;
  timeoutMs?: number;
  prices?: Prices;
}

interface OpenAiDeps {
  clock: Clock;
  log: Log;
  metrics: Metrics;
  changes: VariableChanges;
}

interface Asking {
  signal: AbortSignal;
  spend: Spend | undefined;
}

interface Said<T> {
  value: T | undefined;
  outcome: 'read' | 'repaired' | 'refused' | 'unreadable';
  inputTokens: number;
  outputTokens: number;
}

/** The control question is about no email. Any answer to it shows that the model is available. */
const CONTROL: Question = {
  rules: [{ ruleId: 'air_control', condition: 'the email is an invoice' }],
  mail: toMailText({
    from: { email: 'control@postroom.example', name: null },
    to: [],
    cc: [],
    subject: 'Hello',
    date: new Date('2026-01-01'),
    attachments: [],
    hasWrittenToSender: false,
    html: null,
    text: 'Hello.',
  }),
};
const TIMEOUT_MS = 20_000;
const LONGEST_REPEATED = 4_000;
const FREE: Prices = { input: 0, output: 0 };

/** A model behind an endpoint that speaks as OpenAI's does. An answer that cannot be read gives no verdict. */
export function openAiModel(
  settings: OpenAiSettings,
  { clock, log, metrics: meters, changes }: OpenAiDeps,
): EstimatingModel {
  const { model, timeoutMs = TIMEOUT_MS, prices = FREE } = settings;
  const chat = createFormatFallback(chatEndpoint(settings, changes), model, timeoutMs, clock);
  const availability = createAvailability({
    clock,
    log,
    askControl: () => chat.ask(promptFor(CONTROL), verdictsOf(CONTROL.rules), new AbortController().signal),
    readFailure: (error) => readFailure(error, clock),
  });
  const metrics = createModelMetrics(meters, prices);

  const ask = async (messages: ChatMessage[], shape: AnswerShape, { signal, spend }: Asking) => {
    const begun = performance.now();
    const answer = await availability.run(() => chat.ask(messages, shape, signal), signal).catch(refusedOf);
    metrics.answered(answer, (performance.now() - begun) / 1_000);
    spend?.(answer);
    return answer;
  };
  const say = async <T>(prompt: ChatMessage[], shape: ReadableShape<T>, asking: Asking): Promise<Said<T>> => {
    const first = await ask(prompt, shape, asking);
    const read = first.kind === 'text' ? shape.read(first.text) : undefined;
    if (read !== undefined || first.kind === 'refused') {
      return { value: read, outcome: read === undefined ? 'refused' : 'read', ...counted(first) };
    }
    const content = first.text.slice(0, LONGEST_REPEATED);
    // Endpoints refuse an empty message.
    const said: ChatMessage[] = content === '' ? [] : [{ role: 'assistant', content }];
    const second = await ask([...prompt, ...said, { role: 'user', content: shape.repair }], shape, asking);
    const repaired = second.kind === 'text' ? shape.read(second.text) : undefined;
    const outcome = repaired === undefined ? 'unreadable' : 'repaired';
    return { value: repaired, outcome, ...counted(first, second) };
  };

  return withEstimates({
    availability,
    judge: async (question, signal, spend) => {
      const { rules } = question;
      const { value, outcome, ...tokens } = await say(promptFor(question), verdictsOf(rules), { signal, spend });
      metrics.judged(outcome);
      const why = outcome === 'refused' ? 'the model refused' : 'the answer could not be read';
      return { verdicts: value ?? unknown(rules, why), model, ...tokens };
    },
    reply: async (question, signal, spend) => {
      const { value, outcome } = await say(replyPromptFor(question), replyShape, { signal, spend });
      metrics.replied(outcome);
      return value === '' ? undefined : value;
    },
  });
}

/** The endpoint answers others, and refuses this email in every format. */
function refusedOf(error: unknown): ModelAnswer {
  if (isAboutTheRequest(error)) return REFUSED;
  throw error;
}

function counted(...answers: ModelAnswer[]) {
  const sum = (of: (answer: ModelAnswer) => number) => answers.reduce((total, answer) => total + of(answer), 0);
  return { inputTokens: sum(({ inputTokens }) => inputTokens), outputTokens: sum(({ outputTokens }) => outputTokens) };
}
