import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { bounds } from '@postroom/contract/bounds';
import { ApiError } from '@postroom/errors/api-error';

// By their socket, because a fault in the middle of an upload is reported to the socket alone.
const uploads = new WeakMap<Duplex, (error: ApiError) => void>();
const broken = new WeakMap<Duplex, ApiError>();

/** Notes that nothing more can be read here, and tells whoever is reading, now or later. */
export function breakOff(socket: Duplex, error: ApiError): void {
  broken.set(socket, error);
  uploads.get(socket)?.(error);
}

export function isBrokenOff(socket: Duplex): boolean {
  return broken.has(socket);
}

/** The bytes of a body, at most the contract's; stops taking more the moment that one too many has come. */
export function receive(request: IncomingMessage, limitMs: number): Promise<Buffer> {
  const fault = broken.get(request.socket);
  // What is wrong may be what follows a body that is whole.
  if (fault && !request.complete) return Promise.reject(fault);
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
      if (length > bounds.request.bodyBytes) fail(new ApiError('PAYLOAD_TOO_LARGE'));
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
    uploads.set(request.socket, (error) => {
      if (!request.complete) fail(error);
    });
    request.on('data', take).on('end', finish).on('close', lose).on('error', lose);
  });
}
