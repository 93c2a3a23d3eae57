import type { Mutation } from './mutation.ts';

const GUARD = 'services/gateway/src/guard';

/** Of what a client is promised that repeats a call under its key. */
const faults: readonly Omit<Mutation, 'workload'>[] = [
  {
    fault: 'a key is taken from a call that is under way',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: "if (!isOver && seen.leaseUntil > moment.now) return { outcome: 'in-progress' };",
    instead: '',
  },
  {
    fault: 'a call that takes a key over is another operation',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: 'const operationId = isRepeat ? seen.operationId : attempt.operationId;',
    instead: 'void isRepeat; const { operationId } = attempt;',
  },
  {
    fault: 'two take a key over at once',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: 'return taken.modifiedCount === 1 ?',
    instead: 'return taken ?',
  },
  {
    fault: 'a key answers another request',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: "if (!isOver && !seen.isFree && seen.fingerprint !== fingerprint) return { outcome: 'other-request' };",
    instead: '',
  },
  {
    fault: 'a key is never taken over',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: 'return takeOver(records, seen, attempt, moment);',
    instead: "return { outcome: 'in-progress' };",
  },
  {
    fault: 'an insert that was refused counts as a claim',
    file: `${GUARD}/idempotency-keys/idempotency-store.ts`,
    code: 'if (isAnyDuplicate(error)) return false;',
    instead: 'if (isAnyDuplicate(error)) return true;',
  },
  {
    fault: 'a failure is kept as the answer',
    file: 'services/gateway/src/response/answer.ts',
    code: 'return status < 500 && !NOT_FINAL.has(status);',
    instead: 'return !NOT_FINAL.has(status);',
  },
  {
    fault: 'a call keeps its key for minutes',
    file: `${GUARD}/idempotency.ts`,
    code: 'const LEASE_MS = 20_000;',
    instead: 'const LEASE_MS = 200_000;',
  },
  {
    fault: 'the service is not told which operation it is',
    file: `${GUARD}/idempotency.ts`,
    code: 'exchange.operationId = claim.operationId;',
    instead: '',
  },
  {
    fault: 'a rule is made anew for each call of its operation',
    file: 'services/label-rule/src/auto-forward/auto-forward.ts',
    code: "_id: deterministicIdOf('afr', call),",
    instead: "_id: deterministicIdOf('afr', { ...call, operationId: String(now.getTime()) }),",
  },
];

export const callMutations: readonly Mutation[] = faults.map((one) => ({ workload: 'calls', ...one }));
