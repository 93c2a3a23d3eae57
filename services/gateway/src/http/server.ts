import { createServer, STATUS_CODES, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError } from '@postroom/errors/api-error';
import type { Clock } from '@postroom/runtime/clock';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';
import type { App } from '../app.ts';
import { renderError } from '../render-error.ts';
import { bornAsExpress, isBornAsExpress } from './born-as-express.ts';
import { breakOff } from './receive.ts';

const limits = {
  // The filters parameter alone may take 24 KB on the wire.
  maxHeaderSize: 40_960,
  // A head that is late is refused within the contract's ten seconds; a body has its own, and a guard that counts them.
  headersTimeout: 9_500,
  requestTimeout: 15_000,
  connectionsCheckingInterval: 500,
  // Longer than load balancers keep an idle connection, so that it is they who close it.
  keepAliveTimeout: 65_000,
  // Node would answer a missing Host with an empty 400; a guard refuses it in JSON.
  requireHostHeader: false,
} as const;

/** Listens; whatever Node would answer by itself goes out as the contract's JSON. */
export async function openHttp(app: App, host: string, port: number, context: ServiceContext): Promise<number> {
  const classes = bornAsExpress(app.express);
  if (!isBornAsExpress(app.express, classes)) throw new Error('requests would change their prototype one by one');
  const server = createServer({ ...limits, ...classes }, app.listener);
  // The guards decide about Expect; these two events hand such requests over like any other.
  server.on('checkContinue', app.listener);
  server.on('checkExpectation', app.listener);
  server.on('connect', (_request, socket: Duplex) => refuse(socket, new ApiError('NOT_FOUND')));
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => refuseUnreadable(error, socket));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  context.readiness.onDrain(() => server.prependListener('request', askToLeave));
  context.lifecycle.add('http server', () => drain(server, context.clock));
  return (server.address() as AddressInfo).port;
}

function refuseUnreadable(error: NodeJS.ErrnoException, socket: Duplex): void {
  const isLate = error.code === 'ERR_HTTP_REQUEST_TIMEOUT';
  const refusal = isLate
    ? new ApiError('QUERY_TIMEOUT', { message: 'The request did not arrive in time.' })
    : new ApiError('REQUEST_ERROR', { message: 'This is not a request that HTTP allows, or its head is too large.' });
  // A request that is being answered may have been authenticated: it is refused on its own way, with its headers.
  if (isAnswering(socket)) breakOff(socket, refusal);
  else refuse(socket, refusal);
}

/** Whether a response waits to be written here; Node keeps it under this name, for its own answers to such faults. */
function isAnswering(socket: Duplex & { _httpMessage?: { headersSent: boolean } | null }): boolean {
  return socket._httpMessage?.headersSent === false;
}

/** Answers on a bare socket, where there is no request to answer. */
function refuse(socket: Duplex & { _httpMessage?: unknown }, error: ApiError): void {
  if (!socket.writable || socket._httpMessage) {
    socket.destroy();
    return;
  }
  const { status, body } = renderError(error);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${body?.length ?? 0}`,
    'Connection: close',
    `Date: ${new Date().toUTCString()}`,
  ];
  socket.end(Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), body ?? Buffer.alloc(0)]));
  socket.on('error', () => undefined);
}

/** A caller who comes back on a connection of its own has none here that is closed under its next request. */
function askToLeave(_request: IncomingMessage, response: ServerResponse): void {
  response.shouldKeepAlive = false;
}

/** No new connections, idle ones closed; what was begun is finished, and cut off only past its time. */
async function drain(server: Server, clock: Clock): Promise<void> {
  const drained = new AbortController();
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cutOff = () => server.closeAllConnections();
  void clock.sleep(timeLimits.gatewayDrainMs, drained.signal).then(cutOff, () => undefined);
  await closed;
  drained.abort();
}
