import { ApiError } from '@postroom/errors/api-error';
import { isPeersAnswer } from '@postroom/errors/grpc-status';
import { RefusalWithHeaders } from '../response/answer.ts';

/** A transport error does not tell whether a message was sent; only a refusal by the service itself does. */
export function throwSendError(error: unknown, message: string): never {
  if (!(error instanceof ApiError) || !isPeersAnswer(error)) {
    throw new ApiError('QUERY_TIMEOUT', { message, cause: error });
  }
  // A refusal by the mail server is an expected error. Its text is for the caller alone.
  throw error.code === 'INTERNAL_ERROR' ? new RefusalWithHeaders(error.code, {}, { message: error.message }) : error;
}
