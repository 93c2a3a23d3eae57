import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type Listener = (request: IncomingMessage, response: ServerResponse) => void;

interface Pipelining {
  /** Takes over the reading of a new connection. The result tells what the connection holds in memory. */
  attach(socket: Socket): () => number;
  /** Hands a request to the listener after the requests before it on its connection are answered. */
  accept: Listener;
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

interface Reader {
  accept(exchange: Exchange): void;
  heldBytes(): number;
}

/** The parser gets slices of this size when the end of a request is unknown, so that few others follow in the same slice. */
const SLICE_BYTES = 4_096;
const HEAD_END = '\r\n\r\n';
/** No head ends earlier, so a run of blank lines is not cut into slices of four bytes. */
const SHORTEST_HEAD = 14;
/** About the memory of one request that is parsed and not yet begun. */
const REQUEST_BYTES = 4_096;
const NOTHING: Buffer = Buffer.alloc(0);

/**
 * Answers the requests of a connection one at a time. Node parses everything that has arrived in one step, and a caller
 * who sends thousands of small requests at once would hold the event loop for seconds. So the bytes behind a request are
 * held back until it is answered, and the socket is paused while bytes are held.
 */
export function createPipelining(listener: Listener): Pipelining {
  const readers = new WeakMap<Socket, Reader>();
  return {
    attach: (socket) => {
      const reader = openReader(socket, listener);
      readers.set(socket, reader);
      return reader.heldBytes;
    },
    accept: (request, response) => readers.get(request.socket)?.accept({ request, response }),
  };
}

function openReader(socket: Socket, listener: Listener): Reader {
  /** The first is being answered. */
  const exchanges: Exchange[] = [];
  let held = NOTHING;
  /** The caller has closed its side, which Node is told after it has read everything before that. */
  let hasEnded = false;
  /** The remaining bytes of a body with an announced length. */
  let bodyLeft = 0;

  // The rest of a body has to be read before its request can be answered.
  const isBusy = () => exchanges.length > 1 || exchanges[0]?.request.complete === true;
  const parseOn = (): void => {
    while (held.length > 0 && !isBusy() && node.isReading()) {
      const slice = held.subarray(0, exchanges.length === 0 ? endOfHead(held) : bodyLeft || SLICE_BYTES);
      held = held.subarray(slice.length);
      bodyLeft = Math.max(0, bodyLeft - slice.length);
      node.parse(slice);
    }
    if (!node.isReading()) held = NOTHING;
    node.hold(held.length > 0);
    if (!hasEnded || held.length > 0) return;
    hasEnded = false;
    node.parseEnd();
  };
  const take = (bytes: Buffer): void => {
    held = held.length === 0 ? bytes : Buffer.concat([held, bytes]);
    parseOn();
  };
  const end = (): void => {
    hasEnded = true;
    parseOn();
  };
  const proceed = (): void => {
    // The answer before was the last: nothing is begun for a caller who cannot be answered.
    if (!socket.writable) return;
    const [next] = exchanges;
    if (next) listener(next.request, next.response);
    parseOn();
  };
  const finish = (): void => {
    exchanges.shift();
    // Other connections come first: a caller who is answered at once would never let the event loop go on.
    if (exchanges.length > 0 || held.length > 0) setImmediate(proceed);
  };

  const node = standBetween(socket, take, end);
  return {
    accept: (exchange) => {
      exchange.response.once('close', finish);
      bodyLeft = Number(exchange.request.headers['content-length'] ?? 0);
      if (exchanges.push(exchange) === 1) listener(exchange.request, exchange.response);
    },
    heldBytes: () => held.length + Math.max(0, exchanges.length - 1) * REQUEST_BYTES,
  };
}

/** Node's own listeners of a connection, which are called from here on by those that stand in their place. */
function standBetween(socket: Socket, take: (bytes: Buffer) => void, end: () => void) {
  const [parse] = socket.listeners('data') as [(bytes: Buffer) => void];
  const [parseEnd] = socket.listeners('end').slice(-1) as [() => void];
  let isHolding = false;
  // A connection that is about to end has its listeners for data taken off. When a CONNECT has ended it, Node has freed
  // the parser, which throws when it is given more.
  const isReading = () => !socket.destroyed && socket.listenerCount('data', take) > 0;
  socket.off('data', parse).on('data', take);
  socket.off('end', parseEnd).on('end', end);
  // Node resumes a socket whenever a request is read.
  socket.on('resume', () => {
    if (isHolding && isReading()) socket.pause();
  });
  return {
    isReading,
    parse,
    parseEnd: () => isReading() && parseEnd(),
    hold: (wanted: boolean): void => {
      if (wanted) socket.pause();
      else if (isHolding && isReading()) socket.resume();
      isHolding = wanted;
    },
  };
}

function endOfHead(bytes: Buffer): number {
  const at = bytes.subarray(0, SLICE_BYTES).indexOf(HEAD_END, SHORTEST_HEAD, 'latin1');
  return at < 0 ? SLICE_BYTES : at + HEAD_END.length;
}
