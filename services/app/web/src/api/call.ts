import { AppFault } from './fault.ts';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface CallOptions {
  body?: unknown;
  signal?: AbortSignal;
  /** The request outlives the page. */
  keepalive?: boolean;
}

const BASE = '/app/api';

/** The answer of the app's own interface; anything but a success is thrown as an `AppFault`. */
export async function call<Answer>(method: Method, path: string, options: CallOptions = {}): Promise<Answer> {
  const response = await request(method, path, options);
  if (response.status === 204) return undefined as Answer;
  return (await response.json()) as Answer;
}

/** An answer that comes in pieces: each line of JSON as soon as it is there. */
export async function callForLines<Line>(path: string, options: CallOptions) {
  const response = await request('POST', path, options);
  return { requestId: response.headers.get('x-request-id'), lines: linesOf<Line>(response) };
}

/** A file with the name that the server gives it, which is safe on every system. */
export async function callForFile(path: string, options: CallOptions): Promise<{ name: string; file: Blob }> {
  const response = await request('GET', path, options);
  const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { name: encoded === undefined ? 'attachment' : decodeURIComponent(encoded), file: await response.blob() };
}

async function* linesOf<Line>(response: Response): AsyncGenerator<Line> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    const lines = (rest + piece.value).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) if (line !== '') yield JSON.parse(line) as Line;
  }
  if (rest !== '') yield JSON.parse(rest) as Line;
}

async function request(method: Method, path: string, { body, signal, keepalive }: CallOptions): Promise<Response> {
  const response = await fetch(BASE + path, {
    method,
    signal,
    keepalive,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
  }).catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new AppFault(0, 'NO_ANSWER', 'The server did not answer. Check the connection and try again.', null);
  });
  if (response.ok) return response;
  throw await faultOf(response);
}

async function faultOf(response: Response): Promise<AppFault> {
  const requestId = response.headers.get('x-request-id');
  const { code, error, details } = (await response.json().catch(() => ({}))) as Partial<{
    code: string;
    error: string;
    details: Record<string, unknown>;
  }>;
  const sentence = error ?? 'The server answered with an error. Try again in a moment.';
  return new AppFault(response.status, code ?? 'UNREADABLE_ANSWER', sentence, requestId, details);
}
