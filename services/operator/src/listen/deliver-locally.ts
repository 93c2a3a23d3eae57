import { request as overHttp } from 'node:http';
import { request as overHttps } from 'node:https';
import {
  DELIVERY_LIMIT_MS,
  deliveryBody,
  deliveryHeaders,
  type DeliveredChange,
} from '@postroom/contract/webhook-signature';
import type { Clock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';

export interface LocalEndpoint {
  url: URL;
  secret: string;
  clock: Clock;
}

interface Outcome {
  status: number | null;
  durationMs: number;
  /** Why there is no status. */
  error: string | null;
}

const REASONS: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there; start your server',
  ENOTFOUND: 'the host name is not known; check --forward-to',
  ECONNRESET: 'the connection was closed without an answer',
};

/** Posts a change as a real delivery does. An answer of any status is an outcome, and so is none. */
export async function deliverLocally(change: DeliveredChange, { url, secret, clock }: LocalEndpoint): Promise<Outcome> {
  const startedAt = clock.now();
  const body = deliveryBody(change);
  const headers = deliveryHeaders(change, body, { secret, at: clock.date() });
  const tooLate = () => new Error(`no answer within ${DELIVERY_LIMIT_MS / 1_000} seconds`);
  try {
    const status = await within({ ms: DELIVERY_LIMIT_MS, clock, tooLate }, (signal) =>
      post(url, headers, body, signal),
    );
    return { status, durationMs: clock.now() - startedAt, error: null };
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException;
    return { status: null, durationMs: clock.now() - startedAt, error: REASONS[code] ?? message };
  }
}

function post(url: URL, headers: Record<string, string>, body: string, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? overHttps : overHttp;
    const length = { 'Content-Length': String(Buffer.byteLength(body)) };
    // A kept connection would fail at the first event after the local server has been started anew.
    const sent = request(
      url,
      { method: 'POST', headers: { ...headers, ...length }, agent: false, signal },
      (answer) => {
        resolve(answer.statusCode ?? 0);
        // The status alone counts, and a body may have no end.
        answer.destroy();
      },
    );
    sent.on('error', reject);
    sent.end(body);
  });
}
