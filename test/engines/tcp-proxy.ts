import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

export interface TcpProxy {
  port: number;
  /** Takes connections and bytes and passes nothing on, as a server that hangs does. */
  freeze(): void;
  thaw(): void;
  /** Passes nothing more on for the open connections, and does not close them either; new ones are served. */
  forget(): void;
  /** Refuses new connections and cuts the open ones, as a dead server does. */
  cut(): Promise<void>;
  restore(): Promise<void>;
  /** From now on another server answers, as after a restart that lost everything. */
  redirect(port: number): void;
  /** Number of open connections. */
  connections(): number;
  close(): Promise<void>;
}

/** A proxy between one client and a server. A test can disconnect the server for this client alone. */
export async function openTcpProxy(host: string, targetPort: number): Promise<TcpProxy> {
  const { accept, each, count } = createPairs(host);
  let target = targetPort;
  let frozen = false;
  let server: Server;

  const listen = async (port: number): Promise<number> => {
    server = createServer((inner) => accept(inner, target, frozen));
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const port = await listen(0);
  const cut = async () => {
    each((socket) => socket.destroy());
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    cut,
    connections: count,
    close: cut,
    freeze: () => {
      frozen = true;
      each((socket) => socket.pause());
    },
    thaw: () => {
      frozen = false;
      each((socket) => socket.resume());
    },
    forget: () => each((socket) => socket.unpipe().resume()),
    restore: async () => void (await listen(port)),
    redirect: (to) => {
      target = to;
      each((socket) => socket.destroy());
    },
  };
}

/** The open connections, each a socket of the client and one to the server. */
function createPairs(host: string) {
  const pairs = new Set<[Socket, Socket]>();
  return {
    accept: (inner: Socket, target: number, isFrozen: boolean): void => {
      const outer = connect(target, host);
      const pair: [Socket, Socket] = [inner, outer];
      pairs.add(pair);
      const end = () => {
        pairs.delete(pair);
        inner.destroy();
        outer.destroy();
      };
      for (const socket of pair) socket.on('error', end).on('close', end);
      inner.pipe(outer);
      outer.pipe(inner);
      if (isFrozen) for (const socket of pair) socket.pause();
    },
    each: (change: (socket: Socket) => void): void => {
      for (const pair of pairs) pair.forEach(change);
    },
    count: () => pairs.size,
  };
}
