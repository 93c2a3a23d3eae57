import type { IncomingMessage } from 'node:http';
import { bounds } from '@postroom/contract/bounds';
import { isDeeperThan } from '@postroom/http/json-depth';

/** Twice the body of a request of the API, for the frame around it. */
const MOST_BYTES = 524_288;
/** Those of a body of the API, and the levels of the frame around it: a batch, a message, its parameters, their arguments. */
const MOST_LEVELS = bounds.request.jsonLevels + 4;

export type ReadMessage = { json: unknown } | { fault: 'too large' | 'too deep' | 'not JSON' | 'gone' };

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
  const whole = Buffer.concat(pieces);
  // Counted before parsing: the protocol's library walks through a message by recursion.
  if (isDeeperThan(MOST_LEVELS, whole)) return { fault: 'too deep' };
  try {
    return { json: JSON.parse(whole.toString()) as unknown };
  } catch {
    return { fault: 'not JSON' };
  }
}
