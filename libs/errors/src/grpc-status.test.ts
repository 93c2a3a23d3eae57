import type { IncomingHttpHeaders } from 'node:http2';
import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError } from '@grpc/grpc-js';
import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-error.ts';
import { catalogue } from './catalogue.ts';
import type { ErrorCode } from './catalogue.ts';
import { fromServiceError, toGrpcStatus } from './grpc-status.ts';

/** The transport: metadata becomes HTTP/2 headers and is read from them again. */
function crossed(error: unknown): ApiError {
  const sent = toGrpcStatus(error);
  const metadata = Metadata.fromHttp2Headers((sent.metadata as Metadata).toHttp2Headers() as IncomingHttpHeaders);
  return fromServiceError(Object.assign(new Error(), { ...sent, metadata }) as ServiceError);
}

describe('an error that crosses gRPC', () => {
  it.each(Object.keys(catalogue) as ErrorCode[])('%s keeps its code', (code) => {
    expect(crossed(new ApiError(code)).code).toBe(code);
  });

  it('keeps its sentence and its details, whatever script they are in', () => {
    const details = { 'filters._and[1].type': ['«ungültig»', '日本語', '👍', 'a\r\nb: c'] };
    const error = crossed(new ApiError('VALIDATION_FAILED', { message: 'No.', details }));
    expect(error).toMatchObject({ message: 'No.', details });
  });

  it('leaves the cause of a stranger behind', () => {
    const sent = toGrpcStatus(new Error('the password is hunter2'));
    expect(JSON.stringify(sent)).not.toContain('hunter2');
    expect(sent).toMatchObject({ code: status.INTERNAL, details: catalogue.INTERNAL_ERROR.sentence });
  });

  it('drops details too large for a header block rather than the answer', () => {
    const error = crossed(new ApiError('VALIDATION_FAILED', { details: { many: 'x'.repeat(100_000) } }));
    expect(error.code).toBe('VALIDATION_FAILED');
    expect(error.details).toBeUndefined();
  });

  it('keeps the code when the details cannot be read', () => {
    const metadata = new Metadata();
    metadata.set('postroom-code', 'CONFLICT');
    metadata.set('postroom-details-bin', Buffer.from('{'));
    const sent = Object.assign(new Error(), { code: status.ABORTED, details: 'x', metadata });
    expect(fromServiceError(sent)).toMatchObject({ code: 'CONFLICT', details: undefined });
  });

  it.each([
    [status.DEADLINE_EXCEEDED, 'QUERY_TIMEOUT'],
    [status.UNAVAILABLE, 'INTERNAL_ERROR'],
    [status.UNIMPLEMENTED, 'INTERNAL_ERROR'],
  ])('reads gRPC status %s of a peer that gave no code as %s', (code, expected) => {
    const error = Object.assign(new Error(), { code, details: 'x', metadata: new Metadata() });
    expect(fromServiceError(error).code).toBe(expected);
  });

  it('500 INTERNAL_ERROR for a code that no catalogue of ours knows', () => {
    const metadata = new Metadata();
    metadata.set('postroom-code', 'toString');
    const error = Object.assign(new Error(), { code: status.UNKNOWN, details: 'x', metadata });
    expect(fromServiceError(error).code).toBe('INTERNAL_ERROR');
  });
});
