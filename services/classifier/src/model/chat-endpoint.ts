import type { VariableChanges } from '@postroom/runtime/variable-changes';
import { boundedFetch } from './bounded-fetch.ts';
import { EndpointError, NoAnswer } from './failures.ts';

export interface ChatMessage {
  role: 'system' | 'user' | 'assistant';
  content: string;
}

/** The part of POST /chat/completions that the fallback varies. */
export interface AskedFormat {
  response_format?: object;
  max_tokens?: number;
  max_completion_tokens?: number;
}

interface ChatRequest extends AskedFormat {
  model: string;
  messages: readonly ChatMessage[];
  stream: false;
}

interface ChatSettings {
  baseUrl: string;
  apiKey: string | undefined;
}

export type AskChat = (request: ChatRequest, signal: AbortSignal) => Promise<unknown>;

/** Some ten times what any answer with its bound of tokens has. */
const MOST_BYTES = 512 * 1024;

/** Makes one call without a second try: each caller decides itself about that. */
export function chatEndpoint({ baseUrl, apiKey = 'none' }: ChatSettings, changes: VariableChanges): AskChat {
  const url = new URL(baseUrl);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/chat/completions`;
  const bounded = boundedFetch(MOST_BYTES);
  let key = apiKey;
  changes.on('LLM_API_KEY', (changed) => void (key = changed));

  return async (request, signal) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json', accept: 'application/json' };
    const response = await bounded(url, { method: 'POST', headers, body: JSON.stringify(request), signal });
    // The body is read in both cases, so that the connection can be used again. The text of an error may repeat the email.
    const text = await response.text();
    if (!response.ok) throw new EndpointError(response);
    // A page of a proxy, or of a wrong address, is no answer of a model.
    if (!isJson(response)) throw new NoAnswer("the model's endpoint answered no JSON");
    return JSON.parse(text) as unknown;
  };
}

function isJson({ headers }: Response): boolean {
  const type = (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
  return type === 'application/json' || type.endsWith('+json');
}
