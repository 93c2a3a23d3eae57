import type { IncomingMessage, ServerResponse } from 'node:http';

/** Up to here an unread body is simply read away, and the connection stays. */
const KEEP_ALIVE_BYTES = 1_048_576;
/** A caller that sends everything before it reads must get this much rid of, or it never sees the answer. */
const MOST_BYTES = 16 * 1_048_576;
/** With more callers than this at it, that courtesy would be what brings the gateway down. */
const MOST_CALLERS = 16;
const LINGER_MS = 2_000;

let callers = 0;

/** Whether the caller is still sending, too much or too slowly to read it away: the connection ends with the answer. */
export function isStillSending(request: IncomingMessage, isLate: boolean): boolean {
  if (request.complete) return false;
  if (isLate) return true;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > KEEP_ALIVE_BYTES;
}

/**
 * Ends an answer to a caller that is still sending. Closing at once would reset the connection and take the answer
 * with it, so what comes is thrown away for a while, then left unread, and only then is the connection closed.
 */
export function endWhileSending(request: IncomingMessage, response: ServerResponse): void {
  const most = ++callers > MOST_CALLERS ? KEEP_ALIVE_BYTES : MOST_BYTES;
  let length = 0;
  const end = () => {
    clearTimeout(timer);
    request.off('data', discard).off('end', end).off('close', end);
    callers--;
    response.end();
  };
  const discard = (chunk: Buffer) => {
    length += chunk.length;
    if (length > most) request.off('data', discard).pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.on('data', discard).once('end', end).once('close', end).resume();
}
