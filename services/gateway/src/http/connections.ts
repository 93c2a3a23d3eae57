import type { Socket } from 'node:net';
import { createUnreadAnswers, type UnreadAnswers } from './unread-answers.ts';

export interface Connections {
  add(socket: Socket): void;
  /** Says that a good key has come over it: it is among the last to go. */
  vouchFor(socket: Socket): void;
  owes: UnreadAnswers['owes'];
  /** Ends those whose callers do not take their answers; to be called every second or so. */
  sweep(now: number): void;
  readonly size: number;
  /** Bytes of answers that are yet to be taken. */
  readonly unread: number;
}

interface Bounds {
  /** Of all connections together. */
  most: number;
  /** Bytes of answers that callers have yet to take, of all connections together. */
  mostUnread: number;
}

/** The largest page there is, at a hundred kilobytes a second. */
const SLOWEST_ANSWER_MS = 60_000;

/**
 * Every connection there is, within bounds. Where one too many comes, the one that has been here longest without a good
 * key makes room; a stranger can hold a place, but not keep anybody else out of it.
 */
export function createConnections({ most, mostUnread }: Bounds): Connections {
  const keyless = new Set<Socket>();
  // In the order of their last request, so that the longest idle is the first.
  const keyed = new Set<Socket>();
  /** Since when each has had something to take. */
  const waiting = new Map<Socket, number>();
  const answers = createUnreadAnswers();

  const forget = (socket: Socket) => {
    keyless.delete(socket);
    keyed.delete(socket);
    waiting.delete(socket);
    answers.forget(socket);
  };
  const end = (socket: Socket | undefined) => {
    if (!socket) return;
    forget(socket);
    socket.destroy();
  };
  const note = (socket: Socket, now: number): number => {
    const unread = answers.of(socket);
    if (unread === 0) waiting.delete(socket);
    else if (!waiting.has(socket)) waiting.set(socket, now);
    return unread;
  };

  return {
    add: (socket) => {
      if (keyless.size + keyed.size >= most) end(firstOf(keyless) ?? firstOf(keyed));
      keyless.add(socket);
      socket.once('close', () => forget(socket));
    },
    vouchFor: (socket) => {
      if (!keyless.delete(socket) && !keyed.delete(socket)) return;
      keyed.add(socket);
    },
    owes: answers.owes,
    sweep: (now) => {
      let unread = 0;
      for (const sockets of [keyless, keyed]) for (const socket of sockets) unread += note(socket, now);
      // A map keeps the order of insertion: whoever has let us wait longest comes first.
      for (const [socket, since] of waiting) {
        if (now - since <= SLOWEST_ANSWER_MS && unread <= mostUnread) break;
        unread -= answers.of(socket);
        end(socket);
      }
    },
    get size() {
      return keyless.size + keyed.size;
    },
    get unread() {
      return [...waiting.keys()].reduce((sum, socket) => sum + answers.of(socket), 0);
    },
  };
}

function firstOf<T>(set: ReadonlySet<T>): T | undefined {
  return set.values().next().value;
}
