import type { ServerResponse } from 'node:http';
import type { LimitDecision } from '@postroom/limits/limiter';
import type { Answer } from '../response/answer.ts';

interface AnswerFrame {
  requestId: string;
  verdict?: LimitDecision | undefined;
  /** The connection ends with this answer. */
  closes?: boolean;
  /** The answer is whole, and the response is ended by someone else. */
  stays?: boolean;
}

/** One head and one buffer: headers set one by one cost more than everything else the gateway does to an answer. */
export function write(response: ServerResponse, answer: Answer, frame: AnswerFrame): void {
  // A request that ran out of time has been answered already.
  if (response.headersSent) return;
  const { status, body } = answer;
  response.writeHead(status, headOf(answer, frame));
  if (answer.stream) answer.stream(response);
  else if (!frame.stays) response.end(body);
  else if (body) response.write(body);
  else response.flushHeaders();
}

/** The names and values of an answer's head, one after the other. */
export function headOf(
  { body, headers, stream, ...answer }: Answer,
  { requestId, verdict, closes }: AnswerFrame,
): string[] {
  const { type = 'application/json; charset=utf-8', cacheControl = 'no-store' } = answer;
  const head = ['X-Request-Id', requestId, 'Cache-Control', cacheControl, 'X-Content-Type-Options', 'nosniff'];
  if (body || stream) head.push('Content-Type', type);
  if (body) head.push('Content-Length', String(body.length));
  if (verdict) addLimits(head, verdict);
  if (closes) head.push('Connection', 'close');
  for (const name in headers) head.push(name, headers[name] as string);
  return head;
}

function addLimits(head: string[], { minute, month }: LimitDecision): void {
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
