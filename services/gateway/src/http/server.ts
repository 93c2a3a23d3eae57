import { createServer, type Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { openHttpPort } from '@postroom/http/http-port';
import type { ServiceContext } from '@postroom/runtime/service';
import type { App } from './app.ts';
import type { Observe } from '@postroom/http/observe';
import { withExpressPrototypes, hasExpressPrototypes, type HttpClasses } from './connection/express-prototypes.ts';
import type { Connections } from './connection/connections.ts';
import { createPipelining } from './connection/pipelining.ts';
import { createBareRefusals } from './refuse.ts';

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
  // Of two values Node would drop one in silence, and a proxy in front of us perhaps the other: seen together they are refused.
  joinDuplicateHeaders: true,
} as const;

interface Deps {
  app: App;
  connections: Connections;
  observe: Observe;
  context: ServiceContext;
  idleMs?: number;
}

/** A connection without a byte in either direction for so long is closed. Every answer comes sooner. */
const IDLE_MS = 30_000;
const SWEEP_MS = 1_000;

/** Listens. Answers that Node would give by itself become JSON of the contract. */
export async function openHttp(
  { app, connections, observe, context, idleMs = IDLE_MS }: Deps,
  host: string,
  port: number,
) {
  const classes = withExpressPrototypes(app.express);
  if (!hasExpressPrototypes(app.express, classes)) throw new Error('requests would change their prototype one by one');
  const pipelining = createPipelining(app.listener);
  const server = createHttpServer(classes, pipelining.accept);
  server.timeout = idleMs;
  // The guards decide about Expect. These two events hand such requests over like others.
  server.on('checkContinue', pipelining.accept);
  server.on('checkExpectation', pipelining.accept);
  const { connect, unreadable } = createBareRefusals(context, observe);
  server.on('connect', (_request, socket: Duplex) => connect(socket));
  server.on('clientError', unreadable);
  server.on('connection', (socket: Socket) => connections.add(socket, pipelining.attach(socket)));
  const sweeping = setInterval(() => connections.endSlowCallers(context.clock.now()), SWEEP_MS).unref();
  context.lifecycle.add('sweeping of connections', () => clearInterval(sweeping));
  return openHttpPort(server, host, port, context);
}

function createHttpServer(classes: HttpClasses, listener: App['listener']): Server {
  const server = createServer({ ...limits, ...classes }, listener);
  // The size of a head bounds their number too; past a bound on it they would be left out in silence.
  server.maxHeadersCount = 0;
  // A caller that has closed its sending side still waits for its answers.
  Object.assign(server, { httpAllowHalfOpen: true });
  return server;
}
