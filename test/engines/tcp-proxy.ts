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
  const pairs = new Set<[Socket, Socket]>();
  let target = targetPort;
  let frozen = false;
  let server: Server;

  const accept = (inner: Socket): void => {
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
    if (frozen) for (const socket of pair) socket.pause();
  };
  const listen = async (port: number): Promise<number> => {
    server = createServer(accept);
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
    return (server.address() as AddressInfo).port;
  };
  const dropAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };

  const port = await listen(0);
  const cut = async () => {
    dropAll();
    await new Promise((resolve) => server.close(resolve));
  };
  return {
    port,
    cut,
    connections: () => pairs.size,
    close: cut,
    freeze: () => {
      frozen = true;
      for (const pair of pairs) for (const socket of pair) socket.pause();
    },
    thaw: () => {
      frozen = false;
      for (const pair of pairs) for (const socket of pair) socket.resume();
    },
    forget: () => {
      for (const pair of pairs) for (const socket of pair) socket.unpipe().resume();
    },
    restore: async () => void (await listen(port)),
    redirect: (to) => {
      target = to;
      dropAll();
    },
  };
}
