import type { Socket } from 'node:net';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';

/** The part of grpc-js that opens connections, one at a time to one address. */
interface Connector {
  session: { destroy(): void } | null;
  tcpConnect(...args: unknown[]): Promise<Socket>;
  connect(...args: unknown[]): Promise<Transport>;
}
interface Transport {
  session: { closed: boolean };
  canSendPing(): boolean;
  shutdown(): void;
}

/** An open peer answers in a round trip or two; a busy one has a moment more. */
const CONNECT_MS = 5_000;
let mended = false;

/**
 * grpc-js 1.14 gives an attempt to connect no time limit, and begins no other before its end. A peer that takes the connection
 * and never speaks, or whose node takes nothing any more, would keep all calls waiting until their deadlines: for ever, or until
 * the system gives up, after two minutes.
 */
export function mendGrpc(): void {
  if (mended) return;
  mended = true;
  const { Http2SubchannelConnector } = require('@grpc/grpc-js/build/src/transport') as {
    Http2SubchannelConnector: { prototype: Connector };
  };
  const { prototype } = Http2SubchannelConnector;
  const { connect, tcpConnect } = prototype;
  const sockets = new WeakMap<Connector, Socket>();
  const attempts = new WeakMap<Connector, AbortSignal>();
  prototype.tcpConnect = async function tcpConnectAndRemember(this: Connector, ...args): Promise<Socket> {
    const isOver = attempts.get(this);
    const socket = await tcpConnect.apply(this, args);
    if (isOver?.aborted) socket.destroy();
    else sockets.set(this, socket);
    return socket;
  };
  prototype.connect = function connectInTime(this: Connector, ...args): Promise<Transport> {
    const tooLate = () => new Error(`not connected within ${CONNECT_MS} ms`);
    return within({ ms: CONNECT_MS, clock: systemClock, tooLate }, async (over) => {
      sockets.delete(this);
      attempts.set(this, over);
      over.addEventListener('abort', () => sockets.get(this)?.destroy(), { once: true });
      const transport = await connect.apply(this, args);
      if (over.aborted) transport.shutdown();
      pingOnlyWhileOpen(transport);
      return transport;
    });
  };
}

/**
 * Node.js sends no ping over a connection that its server is about to leave, and grpc-js takes that for a lost connection: it
 * ended the calls that were being answered.
 */
function pingOnlyWhileOpen(transport: Transport): void {
  const { canSendPing } = transport;
  transport.canSendPing = () => !transport.session.closed && canSendPing.call(transport);
}
