import { Server } from '@grpc/grpc-js';
import type { UntypedServiceImplementation } from '@grpc/grpc-js';
import type { Clock } from '@postroom/runtime/clock';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';
import { resultWithin } from '@postroom/runtime/within';
import { openCall, type IncomingCall } from './incoming-call.ts';
import { answersFor, toGrpcHandler } from './answer.ts';
import { CONNECTION } from './channel-options.ts';
import { isRepeatable, pathOf, toGrpcService } from './definition.ts';
import type { Implementation } from './definition.ts';
import { addHealth } from './health.ts';
import { serveStreams, type StreamServer, type StreamedMethod } from './streams/serve-streams.ts';
import { toPieces } from './piece-writer.ts';
import { serverCredentials } from './tls.ts';

export interface ServeOptions {
  /** `host:port`; port 0 takes a free one. */
  address: string;
  services: readonly Implementation[];
  context: ServiceContext;
  /** The age at which a client is asked to reconnect, so that it also finds newer pods. */
  maxConnectionAgeMs?: number | undefined;
  /** The time in which calls may finish once the server closes. */
  drainMs?: number | undefined;
}

export interface Served {
  port: number;
  close(): Promise<void>;
}

const MAX_CONNECTION_AGE_MS = 300_000;

/** Serves over gRPC until closed; the context's lifecycle closes it too. */
export async function serve(options: ServeOptions): Promise<Served> {
  const {
    address,
    services,
    context,
    maxConnectionAgeMs = MAX_CONNECTION_AGE_MS,
    drainMs = timeLimits.serviceDrainMs,
  } = options;
  const server = new Server({
    ...CONNECTION,
    'grpc.max_connection_age_ms': maxConnectionAgeMs,
    'grpc.max_connection_age_grace_ms': 30_000,
  });
  const streams = addServices(server, services, context);
  const health = addHealth(server, context.readiness);
  const port = await bind(server, address, context);

  let closing: Promise<void> | undefined;
  const close = () => {
    health.stop();
    streams.retire();
    return (closing ??= drain(server, drainMs, context.clock));
  };
  context.lifecycle.add(`grpc server on port ${port}`, close);
  return { port, close };
}

/**
 * Every method as a unary call, and over multiplexed streams if it may run twice. Services with a token are left out of
 * streams, because a stream is opened without one.
 */
function addServices(server: Server, services: readonly Implementation[], context: ServiceContext): StreamServer {
  const targets = new Map<string, StreamedMethod<IncomingCall>>();
  for (const service of services) {
    const answers = answersFor(service, context);
    const handlers = answers.map(
      ({ key, name, answer }) => [key, toGrpcHandler(name, answer, context, service.token)] as const,
    );
    server.addService(toGrpcService(service.definition), Object.fromEntries(handlers) as UntypedServiceImplementation);
    for (const { name, method, answer } of answers) {
      if (!isRepeatable(method) || service.token !== undefined) continue;
      const { requestType, responseType } = method;
      targets.set(pathOf(service.definition, method), {
        name,
        answer,
        decode: (bytes) => requestType.decode(bytes),
        encode: (message) => toPieces(responseType, message),
      });
    }
  }
  return serveStreams(server, targets, (metadata, method) => openCall(metadata, method, context));
}

function bind(server: Server, address: string, { grpcTls }: ServiceContext): Promise<number> {
  return new Promise((resolve, reject) => {
    server.bindAsync(address, serverCredentials(grpcTls), (error, port) => {
      if (error) reject(error);
      else resolve(port);
    });
  });
}

/**
 * Accepts no new calls. Running calls may finish, and are cut off after the time limit. The end of their connections is not
 * waited for then: Node.js waits for the answer of each client, and one that is gone without a word gives none.
 */
async function drain(server: Server, limitMs: number, clock: Clock): Promise<void> {
  const closed = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
  await resultWithin({ ms: limitMs, clock }, closed);
  server.forceShutdown();
}
