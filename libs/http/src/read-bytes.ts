import type { IncomingMessage } from 'node:http';
import { ApiError } from '@postroom/errors/api-error';

/**
 * The body of a request, or `PAYLOAD_TOO_LARGE` beyond so many bytes. Bytes after the refusal are read and dropped:
 * if they stayed in the connection, its next request would never be read.
 */
export function readBytes(request: IncomingMessage, most: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const pieces: Buffer[] = [];
    let length = 0;
    const take = (piece: Buffer) => {
      length += piece.length;
      if (length <= most) return pieces.push(piece);
      pieces.length = 0;
      return reject(new ApiError('PAYLOAD_TOO_LARGE'));
    };
    const lose = () => reject(new ApiError('REQUEST_ERROR', { message: 'The body ended too early.' }));
    request.on('data', take).once('end', () => resolve(Buffer.concat(pieces)));
    request.once('error', lose).once('close', lose);
  });
}
