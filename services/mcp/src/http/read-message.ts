import type { IncomingMessage } from 'node:http';
import { bounds } from '@postroom/contract/bounds';
import { toApiError } from '@postroom/errors/api-error';
import { isDeeperThan } from '@postroom/http/json-depth';
import { readBytes } from '@postroom/http/read-bytes';

/** Twice the body of a request of the API, for the frame around it. */
const MOST_BYTES = 524_288;
/** Those of a body of the API, and the levels of the frame around it: a batch, a message, its parameters, their arguments. */
const MOST_LEVELS = bounds.request.jsonLevels + 4;

type ReadMessage = { json: unknown } | { fault: 'too large' | 'too deep' | 'not JSON' | 'gone' };

export async function readMessage(request: IncomingMessage): Promise<ReadMessage> {
  let whole: Buffer;
  try {
    whole = await readBytes(request, MOST_BYTES);
  } catch (error) {
    return { fault: toApiError(error).code === 'PAYLOAD_TOO_LARGE' ? 'too large' : 'gone' };
  }
  // Counted before parsing: the protocol's library walks through a message by recursion.
  if (isDeeperThan(MOST_LEVELS, whole)) return { fault: 'too deep' };
  try {
    return { json: JSON.parse(whole.toString()) as unknown };
  } catch {
    return { fault: 'not JSON' };
  }
}
