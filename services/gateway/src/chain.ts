import type { Guard } from './exchange.ts';
import { admit } from './guard/admit.ts';
import { charge } from './guard/charge.ts';
import { checkKey } from './guard/check-key.ts';
import { checkScope } from './guard/check-scope.ts';
import { checkSuspension } from './guard/check-suspension.ts';
import { claimKey } from './guard/claim-key.ts';
import { readBody } from './guard/read-body.ts';
import { validate } from './guard/validate.ts';

/** What every request passes, in this order; the contract fixes it, because it decides which refusal costs what. */
export const chain: readonly Guard[] = [
  checkKey,
  checkSuspension,
  admit,
  checkScope,
  readBody,
  charge,
  claimKey,
  validate,
];
