import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export interface UnreadAnswers {
  /** Notes an answer that has been written and waits behind another. */
  owes(socket: Socket, response: ServerResponse): void;
  /** How many bytes the caller has yet to take. */
  of(socket: Socket): number;
  forget(socket: Socket): void;
}

/** What callers have not taken: on the socket itself, and in the answers that wait for their turn on it. */
export function createUnreadAnswers(): UnreadAnswers {
  const queued = new Map<Socket, ServerResponse[]>();
  return {
    owes: (socket, response) => {
      if (isWaiting(response) && !socket.destroyed) queued.set(socket, [...(queued.get(socket) ?? []), response]);
    },
    of: (socket) => {
      const behind = queued.get(socket)?.filter(isWaiting) ?? [];
      if (behind.length > 0) queued.set(socket, behind);
      else queued.delete(socket);
      return behind.reduce((sum, { writableLength }) => sum + writableLength, socket.writableLength);
    },
    forget: (socket) => void queued.delete(socket),
  };
}

/** It has no socket before its turn comes, and afterwards none and nothing to write. */
function isWaiting({ socket, writableLength }: ServerResponse): boolean {
  return !socket && writableLength > 0;
}
