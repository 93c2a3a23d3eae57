import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** An unread body up to this size is read and dropped, and the connection stays. */
const KEEP_ALIVE_BYTES = 1_048_576;
/** A caller that sends everything before it reads must get this much rid of, or it never sees the answer. */
const MOST_BYTES = 16 * 1_048_576;
/** With more callers than this at it, that courtesy would be what brings the gateway down: they get less of it, */
const MOST_CALLERS = 16;
/** and with so many none at all. */
const TOO_MANY_CALLERS = 256;
const LINGER_MS = 2_000;

let callers = 0;
const stopped = new WeakSet<Duplex>();

/** Leaves unread and unparsed what else a caller sends: this connection ends with the answer that is due. */
export function stopReading(socket: Duplex): void {
  stopped.add(socket);
  socket.removeAllListeners('data').on('data', () => socket.pause());
  socket.pause();
}

/** Whether the caller still sends too much or too slowly. The connection then ends with the answer. */
export function isStillSending(request: IncomingMessage, isLate: boolean): boolean {
  if (stopped.has(request.socket)) return true;
  if (request.complete) return false;
  if (isLate) return true;
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  return encoding !== undefined || Number(length ?? 0) > KEEP_ALIVE_BYTES;
}

/**
 * Ends a connection whose caller still sends. An immediate close would reset it and lose the answer. So the bytes are
 * dropped for a while, then left unread, and only then the connection is closed. They are dropped without parsing, which
 * is work that a stranger could cause.
 */
export function linger(socket: Duplex, close: () => void): void {
  stopped.add(socket);
  if (callers >= TOO_MANY_CALLERS || socket.readableEnded) return close();
  const most = ++callers > MOST_CALLERS ? KEEP_ALIVE_BYTES : MOST_BYTES;
  let length = 0;
  const end = () => {
    clearTimeout(timer);
    socket.off('end', end).off('close', end);
    callers--;
    close();
  };
  const discard = (bytes: Buffer) => {
    length += bytes.length;
    if (length > most) socket.pause();
  };
  const timer = setTimeout(end, LINGER_MS);
  socket.removeAllListeners('data').on('data', discard).once('end', end).once('close', end).resume();
}
