import { withinTime } from './attempt.ts';
import { type Feature, operations, type Operation, type Operations } from './operations.ts';
import { readAnswer, type ApiAnswer } from './read-answer.ts';
import { withRetries, type RetryOptions } from './retry.ts';

export { each } from './each.ts';
export { isPostroomError, PostroomError } from './error.ts';
export type { Limits } from './limits.ts';
export type { ApiAnswer } from './read-answer.ts';
export type * from './operations.ts';

export interface ClientOptions<F extends Feature = Feature> extends Partial<RetryOptions> {
  /** Up to and with `/api/v1`. */
  baseUrl: string;
  key: string;
  /** The time limit of one attempt. The API itself answers within 10 seconds. */
  timeoutMs?: number;
  fetch?: typeof globalThis.fetch;
  /** The parts of the API that its operator has opened. The calls of other parts would answer 404. */
  features?: readonly F[];
}

export interface CallOptions extends Partial<RetryOptions> {
  signal?: AbortSignal;
  /** For a POST that is repeated beyond this call, by another process perhaps; else each has one of its own. */
  idempotencyKey?: string;
}

type Params<O extends Operations[keyof Operations]> = keyof O['params'] extends never
  ? []
  : object extends O['params']
    ? [params?: O['params']]
    : [params: O['params']];
type Body<O extends Operations[keyof Operations]> = [O['body']] extends [never]
  ? []
  : undefined extends O['body']
    ? [body?: O['body']]
    : [body: O['body']];

/** One function for each operation: what its path and query hold, then its body, then options. */
export type Client<F extends Feature = never> = {
  [Name in keyof Operations as Operations[Name]['feature'] extends F | null ? Name : never]: (
    ...given: [...Params<Operations[Name]>, ...Body<Operations[Name]>, options?: CallOptions]
  ) => Promise<ApiAnswer<Operations[Name]['reply']>>;
};

export function createClient<const F extends Feature = never>(options: ClientOptions<F>): Client<F> {
  const { features = [] } = options as { features?: readonly Feature[] };
  const calls = Object.entries(operations)
    .filter(([, { feature }]) => feature === null || features.includes(feature))
    .map(([name, operation]) => [name, caller(operation, options)]);
  return Object.fromEntries(calls) as Client<F>;
}

function caller(operation: Operation, client: ClientOptions) {
  const hasParams = operation.query.length > 0 || operation.path.includes('{');
  return (...given: unknown[]) => {
    const params = (hasParams ? given.shift() : undefined) as Record<string, unknown> | undefined;
    const body = operation.hasBody ? given.shift() : undefined;
    return call(operation, { params: params ?? {}, body }, client, (given.shift() ?? {}) as CallOptions);
  };
}

interface Input {
  params: Record<string, unknown>;
  body: unknown;
}

async function call(operation: Operation, { params, body }: Input, client: ClientOptions, options: CallOptions) {
  const { fetch = globalThis.fetch, timeoutMs = 30_000 } = client;
  const { attempts = client.attempts ?? 3, longestWaitMs = client.longestWaitMs ?? 60_000 } = options;
  const signal = options.signal ?? new AbortController().signal;
  const headers: Record<string, string> = { authorization: `Bearer ${client.key}` };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // The same for every attempt, so that however often it arrives it is done once.
  if (operation.method === 'POST') headers['idempotency-key'] = options.idempotencyKey ?? crypto.randomUUID();
  const url = addressOf(client.baseUrl, operation, params);
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const attempt = () =>
    withinTime(signal, timeoutMs, async (within) =>
      readAnswer(await fetch(url, { method: operation.method, headers, signal: within, ...sent })),
    );
  return withRetries(attempt, { attempts, longestWaitMs }, signal);
}

function addressOf(baseUrl: string, { path, query }: Operation, params: Record<string, unknown>): string {
  const filled = path.replace(/\{(\w+)\}/g, (_whole, name: string) => segment(name, params[name]));
  const search = new URLSearchParams();
  for (const name of query) {
    const value = params[name];
    if (value !== undefined) search.set(name, String(value as string | number));
  }
  return `${baseUrl.replace(/\/$/, '')}${filled}${search.size > 0 ? `?${search.toString()}` : ''}`;
}

/** A dot segment or an empty segment would change the path, perhaps to that of another operation. */
function segment(name: string, value: unknown): string {
  if (typeof value !== 'string' || /^\.{0,2}$/.test(value)) throw new TypeError(`${name} is not an id`);
  return encodeURIComponent(value);
}
