import type { Guard } from './exchange.ts';
import { authenticate } from './guard/authenticate.ts';
import { refuseSuspended } from './guard/refuse-suspended.ts';
import { rateLimit } from './guard/rate-limit.ts';
import { authorize } from './guard/authorize.ts';
import { readBody } from './guard/read-body.ts';
import { quota } from './guard/quota.ts';
import { idempotency } from './guard/idempotency.ts';
import { validate } from './guard/validate.ts';

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
