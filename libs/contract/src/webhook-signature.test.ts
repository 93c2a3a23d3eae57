import { createHmac } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { deliveryBody, deliveryHeaders, newSigningSecret } from './webhook-signature.ts';

const at = new Date('2026-03-01T12:00:00.999Z');
const change = {
  id: 'evt_1',
  event: 'email.deleted',
  createdAt: '2026-03-01T11:59:00.000Z',
  data: { emailId: 'eml_ü' },
} as const;

it('the body is event, moment and data in this order, and the id is a header', () => {
  const body = deliveryBody(change);
  expect(body).toBe('{"event":"email.deleted","createdAt":"2026-03-01T11:59:00.000Z","data":{"emailId":"eml_ü"}}');
  expect(deliveryHeaders(change, body, { secret: 's', at })).toMatchObject({
    'Content-Type': 'application/json',
    'X-Service-Event': 'email.deleted',
    'webhook-id': 'evt_1',
  });
});

it('the signature is the HMAC-SHA256 of "<whole seconds>.<raw body>" under the whole secret, prefix included', () => {
  const secret = newSigningSecret();
  const body = deliveryBody(change);
  const expected = createHmac('sha256', Buffer.from(secret))
    .update(Buffer.from(`1772366400.${body}`))
    .digest('hex');
  expect(deliveryHeaders(change, body, { secret, at })['X-Service-Signature']).toBe(`t=1772366400,v1=${expected}`);
});

it('a secret is "whsec_" and 32 random bytes as base64', () => {
  const secrets = [newSigningSecret(), newSigningSecret()];
  expect(new Set(secrets).size).toBe(2);
  for (const secret of secrets) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice('whsec_'.length), 'base64')).toHaveLength(32);
  }
});
