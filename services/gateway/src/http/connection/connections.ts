import type { Socket } from 'node:net';

export interface Connections {
  /** `heldBytes` tells how much of its requests waits in memory. */
  add(socket: Socket, heldBytes?: () => number): void;
  /** Notes that a request with a good key came over the connection. */
  markAuthenticated(socket: Socket): void;
  isAuthenticated(socket: Socket): boolean;
  /** Whether more requests wait behind the one that is being answered. */
  hasMore(socket: Socket): boolean;
  /** Ends connections whose callers do not take their answers; to be called every second or so. */
  endSlowCallers(now: number): void;
  readonly size: number;
  /** Bytes in memory: of answers that are not yet taken, and of requests that wait. */
  readonly buffered: number;
}

interface Bounds {
  /** Of all connections together. */
  most: number;
  /** Bytes in memory, of all connections together. */
  mostBuffered: number;
}

/** The bytes that a caller has to take, and since when. */
interface Pending {
  since: number;
  /** The count of bytes taken at which all of them are. */
  until: number;
}

/** The largest page there is, at a hundred kilobytes a second. */
const SLOWEST_ANSWER_MS = 60_000;

/**
 * Bounds the connections and what they hold in memory. Where one connection too many comes, the one that has been open
 * longest without a good key is ended, so that strangers cannot keep anybody out.
 */
export function createConnections({ most, mostBuffered }: Bounds): Connections {
  const strangers = new Set<Socket>();
  // In the order of their last request, so that the longest idle is the first.
  const authenticated = new Set<Socket>();
  const held = new Map<Socket, () => number>();
  const pending = new Map<Socket, Pending>();

  const bufferedBy = (socket: Socket) => socket.writableLength + (held.get(socket)?.() ?? 0);
  const forget = (socket: Socket) => {
    for (const known of [strangers, authenticated, held, pending]) known.delete(socket);
  };
  const end = (socket: Socket | undefined) => {
    if (!socket) return;
    forget(socket);
    socket.destroy();
  };

  return {
    add: (socket, heldBytes = () => 0) => {
      if (strangers.size + authenticated.size >= most) end(firstOf(strangers) ?? firstOf(authenticated));
      strangers.add(socket);
      held.set(socket, heldBytes);
      socket.once('close', () => forget(socket));
    },
    markAuthenticated: (socket) => {
      if (!strangers.delete(socket) && !authenticated.delete(socket)) return;
      authenticated.add(socket);
    },
    isAuthenticated: (socket) => authenticated.has(socket),
    hasMore: (socket) => (held.get(socket)?.() ?? 0) > 0,
    endSlowCallers: (now) => {
      let buffered = 0;
      for (const sockets of [strangers, authenticated])
        for (const socket of sockets) buffered += notePending(pending, socket, bufferedBy(socket), now);
      // A map keeps the order of insertion: the caller who has kept us waiting longest comes first.
      for (const [socket, { since }] of pending) {
        const isTooSlow = now - since > SLOWEST_ANSWER_MS && socket.writableLength > 0;
        if (!isTooSlow && buffered <= mostBuffered) continue;
        buffered -= bufferedBy(socket);
        end(socket);
      }
    },
    get size() {
      return strangers.size + authenticated.size;
    },
    get buffered() {
      return [...pending.keys()].reduce((sum, socket) => sum + bufferedBy(socket), 0);
    },
  };
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}

/** Notes since when the caller has these bytes to take; returns them. */
function notePending(pending: Map<Socket, Pending>, socket: Socket, bytes: number, now: number): number {
  const { writableLength, bytesWritten } = socket;
  const before = pending.get(socket);
  const isTaken = before && bytesWritten - writableLength >= before.until;
  if (bytes === 0 || isTaken) pending.delete(socket);
  if (bytes > 0 && !pending.has(socket)) pending.set(socket, { since: now, until: bytesWritten });
  return bytes;
}
