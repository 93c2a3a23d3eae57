import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ServerState } from '../server/state.ts';
import { serveConnection } from './connection.ts';

interface Listening {
  port: number;
  close(): Promise<void>;
}

/** Listens on loopback only: this server knows no passwords. */
export async function listen(state: ServerState, port: number): Promise<Listening> {
  const sockets = new Set<Socket>();
  let lastId = 0;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    lastId += 1;
    serveConnection(socket, state, lastId);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const { port: bound } = server.address() as AddressInfo;
  return {
    port: bound,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
