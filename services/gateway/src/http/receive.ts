import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { ApiError } from '@postroom/errors/api-error';

export const MAX_BODY_BYTES = 262_144;

// Uploads under way by their socket, because a fault in the middle of one is reported to the socket alone.
const uploads = new WeakMap<Duplex, (error: ApiError) => void>();

/** Tells the reader of an upload that it cannot be read on; false where nobody waits for it. */
export function failUpload(socket: Duplex, error: ApiError): boolean {
  const fail = uploads.get(socket);
  fail?.(error);
  return fail !== undefined;
}

/** The bytes of a body, at most the contract's; stops taking more the moment that one too many has come. */
export function receive(request: IncomingMessage, limitMs: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;

    const settle = () => {
      clearTimeout(timer);
      uploads.delete(request.socket);
      request.off('data', take).off('end', finish).off('close', lose).off('error', lose);
      // An error nobody listens to would end the process.
      request.on('error', () => undefined);
    };
    const fail = (error: ApiError) => {
      settle();
      request.pause();
      reject(error);
    };
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length > MAX_BODY_BYTES) fail(new ApiError('PAYLOAD_TOO_LARGE'));
      else chunks.push(chunk);
    };
    const finish = () => {
      settle();
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks, length));
    };
    const lose = () => fail(new ApiError('REQUEST_ERROR', { message: 'The body ended too early.' }));

    const timer = setTimeout(
      () => fail(new ApiError('QUERY_TIMEOUT', { message: 'The body did not arrive in time.' })),
      Math.max(1, limitMs),
    );
    uploads.set(request.socket, fail);
    request.on('data', take).on('end', finish).on('close', lose).on('error', lose);
  });
}
