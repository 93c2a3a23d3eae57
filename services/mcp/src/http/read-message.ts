import type { IncomingMessage } from 'node:http';

/** Twice the body of a request of the API, for the frame around it. */
const MOST_BYTES = 524_288;

export type ReadMessage = { json: unknown } | { fault: 'too large' | 'not JSON' | 'gone' };

export async function readMessage(request: IncomingMessage): Promise<ReadMessage> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const piece of request as AsyncIterable<Buffer>) {
      bytes += piece.length;
      if (bytes > MOST_BYTES) return { fault: 'too large' };
      pieces.push(piece);
    }
  } catch {
    return { fault: 'gone' };
  }
  try {
    return { json: JSON.parse(Buffer.concat(pieces).toString()) as unknown };
  } catch {
    return { fault: 'not JSON' };
  }
}
