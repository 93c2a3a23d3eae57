import { expect, it } from '@jest/globals';
import type { IdempotencyDocument } from '@postroom/mail-store/documents/gateway';
import { interleave, watched, type AtCall } from '../../../../../test/support/interleavings.ts';
import { type Attempt, createIdempotencyStore } from './idempotency-store.ts';

const LEASE_MS = 20_000;
const ANSWER = { status: 201, body: '{"id":"lbl_1"}', units: 1 };
const attemptAt = (now: number, name: string): Attempt => ({
  _id: 'key',
  workspaceId: 'wsp_1',
  fingerprint: 'the body',
  attemptId: `try_${name}`,
  operationId: `op_${name}`,
  leaseUntil: new Date(now + LEASE_MS),
  expiresAt: new Date(now + 86_400_000),
});

/** One record of a key, and a store on it for each gateway. */
function world() {
  let record: IdempotencyDocument | undefined;
  const fits = (filter: object) =>
    record !== undefined &&
    Object.entries(filter).every(
      ([name, value]) => JSON.stringify(record?.[name as keyof IdempotencyDocument]) === JSON.stringify(value),
    );
  const records = {
    create: async ([made]: IdempotencyDocument[]) => {
      if (record) throw Object.assign(new Error('duplicate'), { code: 11_000 });
      record = made;
    },
    findOne: async () => record && { ...record },
    updateOne: async (filter: object, { $set }: { $set: Partial<IdempotencyDocument> }) => {
      if (!record || !fits(filter)) return { modifiedCount: 0 };
      record = { ...record, ...$set };
      return { modifiedCount: 1 };
    },
  };
  const storeOf = (at: AtCall) => {
    const calls = watched(records, at);
    const idempotencyRecords = { ...calls, findOne: () => ({ lean: () => calls.findOne() }) };
    return createIdempotencyStore({ idempotencyRecords } as unknown as Parameters<typeof createIdempotencyStore>[0]);
  };
  return { storeOf, stored: () => record?.answer };
}

/** The second gateway claims the key when the lease of the first is over. */
async function meeting(callsBefore: number, callsBetween: number) {
  const { storeOf, stored } = world();
  const alone: AtCall = (_name, call) => call();
  const first = attemptAt(0, 'first');
  await storeOf(alone).claim('wsp_1', first, { now: new Date(0), remainingMs: () => 1_000 });
  const late = LEASE_MS + 1;
  const second = attemptAt(late, 'second');
  let outcome: object = {};
  const completes = (at: AtCall) => storeOf(at).complete('wsp_1', first, ANSWER);
  const claims = async (at: AtCall) => {
    outcome = await storeOf(at).claim('wsp_1', second, { now: new Date(late), remainingMs: () => 1_000 });
  };
  await interleave([claims, completes], (n) => (n < callsBefore ? 0 : n < callsBefore + callsBetween ? 1 : 0));
  return { outcome, stored: stored() };
}

it('an answer that is stored after the lease is replayed by another gateway, or that one had the key before', async () => {
  const outcomes = [];
  for (let before = 0; before < 5; before += 1) outcomes.push(await meeting(before, 1));
  const replayed = { outcome: { outcome: 'answered', answer: ANSWER }, stored: ANSWER };
  const ownedBySecond = { outcome: { outcome: 'claimed', operationId: 'op_first' }, stored: null };
  expect(outcomes).toEqual([replayed, replayed, replayed, ownedBySecond, ownedBySecond]);
});
