import type { Guard } from './exchange.ts';
import { rateLimit } from './guard/rate-limit.ts';
import { quota } from './guard/quota.ts';
import { authenticate } from './guard/authenticate.ts';
import { authorize } from './guard/authorize.ts';
import { refuseSuspended } from './guard/refuse-suspended.ts';
import { idempotency } from './guard/idempotency.ts';
import { readBody } from './guard/read-body.ts';
import { validate } from './guard/validate.ts';

/** What every request passes, in this order; the contract fixes it, because it decides which refusal costs what. */
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
