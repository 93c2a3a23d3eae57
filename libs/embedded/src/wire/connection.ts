import type { Socket } from 'node:net';
import { CommandError } from '../protocol/errors.ts';
import { dispatch } from '../commands/dispatch.ts';
import { interrupt } from '../protocol/operation.ts';
import type { ServerState } from '../server/state.ts';
import { Opcode, messageLength, parseWireMessage, encodeReply, type Message } from './op-msg.ts';

/** Bytes that arrived, joined only when a whole message is there, so that a large one is copied once. */
function createInbox(onMessage: (bytes: Buffer) => void): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let wanted: number | undefined;
  return (chunk) => {
    parts.push(chunk);
    size += chunk.length;
    if (wanted !== undefined && size < wanted) return;
    let rest = parts.length === 1 ? chunk : Buffer.concat(parts, size);
    for (wanted = messageLength(rest); wanted !== undefined && rest.length >= wanted; wanted = messageLength(rest)) {
      onMessage(rest.subarray(0, wanted));
      rest = rest.subarray(wanted);
    }
    parts = rest.length > 0 ? [rest] : [];
    size = rest.length;
  };
}

/** Serves one client. Its commands run one after the other; those of different clients side by side. */
export function serveConnection(socket: Socket, state: ServerState, id: number): void {
  let last: Promise<void> = Promise.resolve();
  const answer = async (message: Message): Promise<void> => {
    const reply = await dispatch(state, message, { id, legacy: message.opcode === Opcode.query });
    if (reply === 'close') socket.destroy();
    else if (message.expectsReply && !socket.destroyed) socket.write(encodeReply(message, reply));
  };
  const receive = createInbox((bytes) => {
    const message = parseWireMessage(bytes);
    last = last.then(() => answer(message)).catch(() => void socket.destroy());
  });
  socket.setNoDelay(true);
  socket.on('data', (chunk: Buffer) => {
    try {
      receive(chunk);
    } catch {
      // The server cannot answer an unreadable message, so it closes the connection.
      socket.destroy();
    }
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => {
    // A driver that gives up on a command closes its connection: nobody waits for the rest of the work.
    for (const operation of state.operations.values()) {
      if (operation.connection === id) interrupt(operation, new CommandError(279, 'the client has disconnected'));
    }
  });
}
