import type { ServerResponse } from 'node:http';
import type { Verdict } from '@postroom/limits/limiter';

/** What a caller will read. */
export interface Answer {
  status: number;
  /** JSON; none for 204. */
  body?: Buffer | undefined;
  headers?: Readonly<Record<string, string>>;
  /** Quota units this answer used, where that differs from what was reserved. */
  units?: number | undefined;
}

export function json(status: number, value: unknown): Answer {
  return { status, body: Buffer.from(JSON.stringify(value)) };
}

export interface Frame {
  requestId: string;
  verdict?: Verdict | undefined;
  /** The connection ends with this answer. */
  closes?: boolean;
  /** The answer is whole, and the response is ended by someone else. */
  stays?: boolean;
}

/** One head and one buffer: headers set one by one cost more than everything else the gateway does to an answer. */
export function write(response: ServerResponse, answer: Answer, frame: Frame): void {
  // A request that ran out of time has been answered already.
  if (response.headersSent) return;
  const { status, body } = answer;
  const head = ['X-Request-Id', frame.requestId, 'Cache-Control', 'no-store', 'X-Content-Type-Options', 'nosniff'];
  if (body) head.push('Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length));
  if (frame.verdict) addLimits(head, frame.verdict);
  if (frame.closes) head.push('Connection', 'close');
  for (const name in answer.headers) head.push(name, answer.headers[name] as string);
  response.writeHead(status, head);
  if (!frame.stays) response.end(body);
  else if (body) response.write(body);
  else response.flushHeaders();
}

function addLimits(head: string[], { minute, month }: Verdict): void {
  head.push(
    'X-RateLimit-Limit',
    String(minute.limit),
    'X-RateLimit-Remaining',
    String(minute.remaining),
    'X-RateLimit-Reset',
    String(minute.resetAt),
    'X-RateLimit-Quota',
    String(month.quota),
    'X-RateLimit-Quota-Remaining',
    String(month.remaining),
    'X-RateLimit-Quota-Reset',
    String(month.resetAt),
  );
}
