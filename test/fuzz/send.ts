import type { Answer, Json } from '../support/client.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import type { Request } from './requests.ts';
import { Reference, type Kind } from './values.ts';

/** A request as it went out. */
export interface Sent {
  operationId: string;
  method: string;
  /** As the description has it, and as it was asked for, without its query. */
  template: string;
  path: string;
  parameters: Record<string, string>;
  body: unknown;
  raw: string | undefined;
  headers: Record<string, string>;
  key: Request['key'];
  address: string;
}

/** Ids and cursors that requests can refer to, the newest last. */
export type Pool = Record<Kind, string[]>;

/** Half a character cannot be encoded. */
const wellFormed = (text: string) => Buffer.from(text).toString();
const encode = (text: string) => encodeURIComponent(wellFormed(text));
/** fetch resolves `.` and `..` as path segments, and an empty segment makes another address. */
const segment = (text: string) => (/^\.{0,2}$/.test(text) ? '_' : wellFormed(text));

export function prepare(request: Request, pool: Pool): Sent {
  const { operationId, method, path: template, raw, idempotencyKey, key } = request;
  const known = (value: unknown) => dereference(value, pool);
  const parameters = Object.fromEntries(
    Object.entries(request.parameters).map(([name, value]) => [name, segment(String(known(value)))]),
  );
  const path = template.replaceAll(/\{(\w+)\}/g, (_whole, name: string) => encode(parameters[name] ?? ''));
  const query = request.query.map(([name, value]) => `${name}=${encode(String(known(value)))}`).join('&');
  const headers: Record<string, string> = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
  const body = raw === undefined ? known(request.body) : undefined;
  return {
    operationId,
    method,
    template,
    path,
    parameters,
    body,
    raw,
    headers,
    key,
    address: query ? `${path}?${query}` : path,
  };
}

function dereference(value: unknown, pool: Pool): unknown {
  if (value instanceof Reference) {
    const ids = pool[value.kind];
    return ids[ids.length - 1 - (value.index % Math.max(1, ids.length))] ?? `none_${value.index}`;
  }
  if (Array.isArray(value)) return value.map((each) => dereference(each, pool));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, dereference(each, pool)]));
}

export function send(
  { method, address, body, raw, headers, key }: Sent,
  workspace: TestWorkspace,
): Promise<Answer<Json>> {
  const authorization: Record<string, string> = key === 'none' ? { authorization: 'Bearer none' } : {};
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  // A GET with a body is nothing that fetch would send.
  const sent = method === 'GET' || payload === undefined ? {} : { raw: payload };
  return workspace[key === 'read' ? 'read' : 'send'].request(method, address, {
    ...sent,
    headers: { ...headers, ...authorization },
  });
}

/** The line that asks the same again. */
export function curl({ method, address, body, raw, headers, key }: Sent): string {
  const quoted = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  // The shell is to read the name of the key's variable, and nothing of what was made up.
  const authorization = key === 'none' ? [] : [`-H "authorization: Bearer $${key.toUpperCase()}_KEY"`];
  const others = Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`);
  const payload = raw ?? (body === undefined ? undefined : JSON.stringify(body));
  const data = payload === undefined ? [] : ['-H "content-type: application/json"', `--data-binary ${quoted(payload)}`];
  return ['curl', `-X ${method}`, ...authorization, ...others, ...data, `"$API"${quoted(address)}`].join(' ');
}
