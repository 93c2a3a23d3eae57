import { expectDescribed } from './described.ts';

export interface Answer<T = unknown> {
  status: number;
  headers: Headers;
  body: T;
}

// The caller of a test knows the shape it asks for; the assertions then say whether it came.
export type Json = ReturnType<typeof JSON.parse>;

export interface ApiClient {
  request(method: string, path: string, options?: RequestOptions): Promise<Answer<Json>>;
  get(path: string, options?: RequestOptions): Promise<Answer<Json>>;
  post(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<Json>>;
  patch(path: string, body?: unknown, options?: RequestOptions): Promise<Answer<Json>>;
  delete(path: string, options?: RequestOptions): Promise<Answer<Json>>;
}

interface RequestOptions {
  headers?: Record<string, string>;
  body?: unknown;
  /** Sent as it is, instead of `body` as JSON. */
  raw?: string | Buffer;
}

/**
 * A caller of the API over a real socket; paths are relative to the base address. Every answer is held against the API
 * description, so that what is served and what is described cannot part.
 */
export function apiClient(baseUrl: string, key?: string): ApiClient {
  const request: ApiClient['request'] = async (method, path, { headers, body, raw } = {}) => {
    const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
    const init: RequestInit = {
      method,
      headers: {
        ...(key && { authorization: `Bearer ${key}` }),
        ...(payload !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      body: payload as string | undefined,
    };
    const response = await fetch(`${baseUrl}${path}`, init);
    const text = await response.text();
    const { status, headers: received } = response;
    const answer: Answer<Json> = { status, headers: received, body: text === '' ? undefined : JSON.parse(text) };
    expectDescribed(method, path, answer);
    return answer;
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    delete: (path, options) => request('DELETE', path, options),
  };
}
