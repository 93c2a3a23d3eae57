import type { Guard } from './exchange.ts';
import { authenticate } from './authenticate.ts';
import { refuseSuspended } from './refuse-suspended.ts';
import { rateLimit } from './rate-limit.ts';
import { authorize } from './authorize.ts';
import { readBody } from './read-body.ts';
import { quota } from './quota.ts';
import { idempotency } from './idempotency.ts';
import { validate } from './validate.ts';

/**
 * The guards of every request, in this order. The contract fixes the order, because it decides the cost of a refusal. A
 * guard that works earlier says so: the quota of a call without a body is charged with the rate limit.
 */
export const chain: readonly Guard[] = [
  authenticate,
  refuseSuspended,
  rateLimit,
  authorize,
  readBody,
  quota,
  idempotency,
  validate,
];
