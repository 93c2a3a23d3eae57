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
 * What every request passes, in this order; the contract fixes it, because it decides which refusal costs what. Work that
 * is done ahead of its place says so itself: the quota of a call without a body is charged with the rate limit.
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
