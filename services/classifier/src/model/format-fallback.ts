import type { Clock } from '@postroom/runtime/clock';
import { abortedByAny } from '@postroom/runtime/abort';
import { startTimer } from '@postroom/runtime/timer';
import type { AskChat, AskedFormat, ChatMessage } from './chat-endpoint.ts';
import { EndpointError, TooSlow } from './failures.ts';

export interface ModelAnswer {
  /** `refused`: by the model, or by a filter of its provider. */
  kind: 'text' | 'refused';
  text: string;
  inputTokens: number;
  outputTokens: number;
}

/** The parts of an answer that are read. Endpoints leave out any of them. */
type Completion = Partial<{
  choices: readonly (Partial<{ finish_reason: unknown; message: { content?: unknown; refusal?: unknown } }> | null)[];
  usage: { prompt_tokens?: unknown; completion_tokens?: unknown };
}> | null;

/** The wanted answer, as a JSON schema. */
export interface AnswerShape {
  name: string;
  schema: Record<string, unknown>;
  /** More than any good answer has, what a model thinks to itself among it. */
  mostTokens: number;
}

/** An answer that can be asked for once more, and read. */
export interface ReadableShape<T> extends AnswerShape {
  /** The text of the second try after an unreadable answer. */
  repair: string;
  read(content: string): T | undefined;
}

const bySchema = ({ name, schema }: AnswerShape): AskedFormat => ({
  response_format: { type: 'json_schema', json_schema: { name, strict: true, schema } },
});

/** Most endpoints know the bound by its old name alone, and models that think by its new one alone. */
const STEPS: readonly ((shape: AnswerShape) => AskedFormat)[] = [
  (shape) => ({ ...bySchema(shape), max_tokens: shape.mostTokens }),
  (shape) => ({ ...bySchema(shape), max_completion_tokens: shape.mostTokens }),
  ({ mostTokens }) => ({ response_format: { type: 'json_object' }, max_tokens: mostTokens }),
  ({ mostTokens }) => ({ max_tokens: mostTokens }),
  // The limit is for an email that leaves less room, so it tells nothing about the endpoint.
  () => ({}),
];
const LAST_TO_BEGIN_WITH = STEPS.length - 2;
export const REFUSED: ModelAnswer = { kind: 'refused', text: '', inputTokens: 0, outputTokens: 0 };

/** Asks for as much structure as the endpoint knows; a step that was of use below another is where later calls begin. */
export function createFormatFallback(askChat: AskChat, model: string, timeoutMs: number, clock: Pick<Clock, 'sleep'>) {
  let firstStep = 0;

  // The limit covers the whole call, because an answer may stop in its middle.
  const inTime = async <T>(call: (signal: AbortSignal) => Promise<T>, signal: AbortSignal): Promise<T> => {
    const limit = new AbortController();
    const cancel = startTimer(clock, timeoutMs, () => limit.abort());
    try {
      return await abortedByAny([signal, limit.signal], call);
    } catch (error) {
      if (limit.signal.aborted && !signal.aborted)
        throw new TooSlow(`no answer within ${timeoutMs} ms`, { cause: error });
      throw error;
    } finally {
      cancel();
    }
  };

  return {
    async ask(messages: ChatMessage[], shape: AnswerShape, signal: AbortSignal): Promise<ModelAnswer> {
      let refusal: unknown;
      for (const [position, askingOf] of STEPS.entries()) {
        if (position < firstStep) continue;
        const request = { model, messages, stream: false as const, ...askingOf(shape) };
        try {
          const completion = await inTime((within) => askChat(request, within), signal);
          if (position <= LAST_TO_BEGIN_WITH) firstStep = Math.max(firstStep, position);
          return toAnswer(completion as Completion);
        } catch (error) {
          if (!isAboutTheRequest(error)) throw error;
          refusal = error;
        }
      }
      throw refusal;
    },
  };
}

/** The statuses of a request that the endpoint understands and does not take. */
const ABOUT_THE_REQUEST: ReadonlySet<number> = new Set([400, 422]);

/** Thrown for a question that the endpoint refuses without any format as well. */
export function isAboutTheRequest(error: unknown): boolean {
  return error instanceof EndpointError && ABOUT_THE_REQUEST.has(error.status);
}

function toAnswer(completion: Completion): ModelAnswer {
  const choice = completion?.choices?.[0];
  const { content, refusal } = choice?.message ?? {};
  const isRefused = Boolean(refusal) || choice?.finish_reason === 'content_filter';
  return {
    kind: isRefused ? 'refused' : 'text',
    text: typeof content === 'string' ? content : '',
    inputTokens: countOf(completion?.usage?.prompt_tokens),
    outputTokens: countOf(completion?.usage?.completion_tokens),
  };
}

const MOST_COUNTED = 10_000_000;

/** It is stored and summed, so it has to be a possible count. */
function countOf(said: unknown): number {
  return typeof said === 'number' && said >= 0 ? Math.min(MOST_COUNTED, Math.floor(said)) : 0;
}
