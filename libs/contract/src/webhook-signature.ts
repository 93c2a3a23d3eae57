import { createHmac, randomBytes } from 'node:crypto';
import type { WebhookEvent } from './lists.ts';

const SECRET_BYTES = 32;
export const DELIVERY_LIMIT_MS = 10_000;

/** A change as a receiver of webhooks gets it. */
export interface DeliveredChange {
  /** The id of the change: a repeated delivery has the same. */
  id: string;
  event: WebhookEvent;
  createdAt: string;
  data: unknown;
}

export function newSigningSecret(): string {
  return `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`;
}

export function deliveryBody({ event, createdAt, data }: Omit<DeliveredChange, 'id'>): string {
  return JSON.stringify({ event, createdAt, data });
}

/** The signature covers the moment too, so that a receiver can refuse a delivery that somebody repeats later. */
export function deliveryHeaders(
  { id, event }: Pick<DeliveredChange, 'id' | 'event'>,
  body: string,
  { secret, at }: { secret: string; at: Date },
): Record<string, string> {
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Postroom-Webhooks/1',
    'X-Service-Event': event,
    'X-Service-Signature': signatureOf(body, secret, at),
    'webhook-id': id,
  };
}

function signatureOf(body: string, secret: string, at: Date): string {
  const seconds = Math.floor(at.getTime() / 1_000);
  const signature = createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
  return `t=${seconds},v1=${signature}`;
}

/** Every other status is a failure, redirects too. */
export function isDelivered(status: number): boolean {
  return Math.floor(status / 100) === 2;
}
