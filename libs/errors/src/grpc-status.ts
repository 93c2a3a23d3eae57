import { Metadata, status } from '@grpc/grpc-js';
import type { ServiceError, StatusObject } from '@grpc/grpc-js';
import { ApiError, toApiError } from './api-error.ts';
import { catalogue, isErrorCode } from './catalogue.ts';

const CODE_KEY = 'postroom-code';
// The suffix makes gRPC carry the value as bytes, so that details may hold any text.
const DETAILS_KEY = 'postroom-details-bin';
// Trailers share one HTTP/2 header block of 64 KB; larger details would turn a clear refusal into a broken stream.
const MAX_DETAILS_BYTES = 16_384;

/** The answer of a gRPC server: the status, and the public code in trailing metadata, because codes share statuses. */
export function toGrpcStatus(error: unknown): Partial<StatusObject> {
  const apiError = toApiError(error);
  const metadata = new Metadata();
  metadata.set(CODE_KEY, apiError.code);
  if (apiError.details) {
    const details = Buffer.from(JSON.stringify(apiError.details));
    if (details.length <= MAX_DETAILS_BYTES) metadata.set(DETAILS_KEY, details);
  }
  return { code: status[catalogue[apiError.code].grpc], details: apiError.message, metadata };
}

/** The error of a gRPC client: the peer's own ApiError, or the nearest code when the peer did not answer. */
export function fromServiceError(error: ServiceError): ApiError {
  const code = error.metadata?.get(CODE_KEY)[0];
  if (!isErrorCode(code)) return toApiError(error);
  const details = readDetails(error.metadata.get(DETAILS_KEY)[0]);
  return new ApiError(code, { message: error.details, cause: error, ...(details && { details }) });
}

/** Whether the peer itself answered. Any other error is a transport error, and does not tell what the peer has done. */
export function isPeersAnswer({ cause }: ApiError): boolean {
  const { metadata } = (cause ?? {}) as Partial<ServiceError>;
  return isErrorCode(metadata?.get?.(CODE_KEY)[0]);
}

function readDetails(value: string | Buffer | undefined): Record<string, unknown> | undefined {
  if (!Buffer.isBuffer(value)) return undefined;
  try {
    return JSON.parse(value.toString('utf8')) as Record<string, unknown>;
  } catch {
    // Details only explain the code, so unreadable details must not hide the refusal.
    return undefined;
  }
}
