import { Metadata, status } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { ApiError, toApiError } from './api-error.ts';

describe('ApiError', () => {
  it('says the sentence of the catalogue when no better one is given', () => {
    expect(new ApiError('LABEL_NOT_FOUND').message).toBe('There is no such label.');
    expect(new ApiError('LABEL_NOT_FOUND', { message: 'Gone.' }).message).toBe('Gone.');
  });

  it('has no details and no cause unless they are given', () => {
    const bare = new ApiError('NOT_FOUND');
    expect(bare.details).toBeUndefined();
    expect('cause' in bare).toBe(false);
  });
});

describe('toApiError', () => {
  it('lets an ApiError through as it is', () => {
    const error = new ApiError('CONFLICT');
    expect(toApiError(error)).toBe(error);
  });

  it.each([
    ['an Error', new Error('mongodb://root:secret@db refused')],
    ['a string', 'oops'],
    ['undefined', undefined],
    ['null', null],
    ['a number', 50],
    ['an object of nobody', { code: 'ECONNRESET' }],
  ])('500 INTERNAL_ERROR for %s, whose text stays inside', (_what, thrown) => {
    const error = toApiError(thrown);
    expect(error.code).toBe('INTERNAL_ERROR');
    expect(error.message).toBe('Something went wrong on our side; try again.');
    expect(error.cause).toBe(thrown);
  });

  it.each([
    ['the database ran out of maxTimeMS', Object.assign(new Error(), { code: 50, codeName: 'MaxTimeMSExpired' })],
    ['no connection to the database was free', Object.assign(new Error(), { name: 'MongoWaitQueueTimeoutError' })],
    ['the driver ran out of time', Object.assign(new Error(), { name: 'MongoOperationTimeoutError' })],
    [
      'a peer ran past the deadline',
      Object.assign(new Error(), { code: status.DEADLINE_EXCEEDED, metadata: new Metadata() }),
    ],
    ['a timer aborted the work', new DOMException('late', 'TimeoutError')],
  ])('408 QUERY_TIMEOUT when %s', (_what, thrown) => {
    expect(toApiError(thrown).code).toBe('QUERY_TIMEOUT');
  });
});
