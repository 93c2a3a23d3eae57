import { expect, it } from '@jest/globals';
import { status } from '@grpc/grpc-js';
import { ApiError } from './api-error.ts';
import { isUnavailable, isHanging, NobodyAnswered, pauseWhileUnavailable } from './unavailable.ts';

const named = (name: string) => Object.assign(new Error('failed'), { name });
const answered = (code: status, details: string) => Object.assign(new Error(details), { code, details });

it.each([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoPoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoTopologyClosedError',
])('%s says that the database is unavailable, however deep it lies', (name) => {
  const wrapped = new ApiError('INTERNAL_ERROR', { cause: new Error('not stored', { cause: named(name) }) });
  expect([isUnavailable(named(name)), isUnavailable(wrapped), isHanging(wrapped)]).toEqual([true, true, false]);
});

it.each([91, 189, 10107, 11600, 11602, 13435, 13436, 14031])(
  'code %i of a member that is no primary, is closing, or has no disk left says that the database is unavailable',
  (code) => {
    const refusals = ['MongoServerError', 'MongoWriteConcernError', 'MongoBulkWriteError'].map((name) =>
      Object.assign(named(name), { code }),
    );
    expect(refusals.map(isUnavailable)).toEqual([true, true, true]);
    expect(isUnavailable(Object.assign(named('Error'), { code }))).toBe(false);
  },
);

it.each([
  'No connection established. Last error: null',
  'round_robin: No connection established',
  'Stream refused by server',
])('"%s" says that a service is unavailable, where gRPC says so', (details) => {
  const wrapped = new ApiError('INTERNAL_ERROR', { cause: answered(status.UNAVAILABLE, details) });
  expect([isUnavailable(wrapped), isHanging(wrapped)]).toEqual([true, false]);
  expect(isUnavailable(answered(status.INTERNAL, details))).toBe(false);
});

it.each<[string, unknown]>([
  ['a database that refuses', named('MongoServerError')],
  ['a service that is tired', answered(status.UNAVAILABLE, 'the service is tired')],
  ['a call that took too long while others were answered', new ApiError('QUERY_TIMEOUT')],
  ['what is no error at all', 'away'],
])('%s is neither unavailable, nor does it hang', (_what, error) => {
  expect([isUnavailable(error), isHanging(error)]).toEqual([false, false]);
});

it('a peer that answers nobody hangs, and is not unavailable', () => {
  const error = new Error('failed', { cause: new NobodyAnswered(new ApiError('QUERY_TIMEOUT')) });
  expect([isUnavailable(error), isHanging(error)]).toEqual([false, true]);
});

it.each([
  [0, 1_000],
  [3_000, 1_000],
  [10_000, 2_500],
  [3_600_000, 5_000],
  [-2_000, 1_000],
])('work that has waited %d ms for a service is tried again %d ms later', (waited, pause) => {
  expect(pauseWhileUnavailable(waited)).toBe(pause);
});
