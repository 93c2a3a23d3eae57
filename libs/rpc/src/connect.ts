import { setTimeout as pause } from 'node:timers/promises';
import { Client as GrpcClient, Metadata } from '@grpc/grpc-js';
import type { MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import { neverRan, NobodyAnswered } from '@postroom/errors/unavailable';
import { fromServiceError, isPeersAnswer } from '@postroom/errors/grpc-status';
import type { Histogram } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import { type Actor, toMetadata } from './actor.ts';
import {
  ACTOR_KEY,
  DEFAULT_DEADLINE_MS,
  OPERATION_KEY,
  REQUEST_ID_KEY,
  TRACEPARENT_KEY,
  WORKSPACE_KEY,
} from './call.ts';
import type { CallContext } from './call.ts';
import { channelOptions } from './channel-options.ts';
import { connectionGate } from './connection-gate.ts';
import { isRepeatable, toGrpcMethod } from './definition.ts';
import type { Client, GenericDefinition, GenericMethod } from './definition.ts';
import { mendGrpc } from './grpc-patch.ts';
import { StreamLost } from './streams/stream.ts';
import { createStreamPool, type StreamPool } from './streams/stream-pool.ts';
import { sendCall } from './send.ts';
import { clientCredentials } from './tls.ts';
import { asToken, bringToken, type Token } from './token.ts';

export type Connection<D extends GenericDefinition> = Client<D> & { close(): void };

/** The time that a call may wait for an unavailable peer, such as one that restarts. */
const RETRY_WITHIN_MS = 3_000;
// Another connection needs a loop iteration or two. A faster retry only costs processor time.
const PAUSE_MS = 10;

interface Wire {
  client: GrpcClient;
  streams: StreamPool;
  gate: (until: number) => Promise<void> | undefined;
  seconds: Histogram;
  context: ServiceContext;
  token: Token | undefined;
  actor: Actor | undefined;
}

interface ConnectOptions {
  context: ServiceContext;
  /** The token that the service requires. */
  token?: string | Token | undefined;
  /** The actor of every call that names none. */
  actor?: Actor | undefined;
}

/** A typed client over every address behind the name; the context's lifecycle closes it too. */
export function connect<D extends GenericDefinition>(
  definition: D,
  address: string,
  { context, ...options }: ConnectOptions,
): Connection<D> {
  mendGrpc();
  const client = new GrpcClient(targetOf(address), clientCredentials(context.grpcTls), channelOptions(definition));
  const seconds = context.metrics.histogram('rpc_client_seconds', 'How long gRPC calls took as their caller sees it.');
  const token = options.token === undefined ? undefined : asToken(options.token);
  const wire: Wire = {
    client,
    streams: createStreamPool(client),
    gate: connectionGate(client),
    seconds,
    context,
    token,
    actor: options.actor,
  };
  const methods = Object.entries(definition.methods).map(([key, method]) => [key, caller(definition, method, wire)]);
  const close = () => {
    wire.streams.close();
    client.close();
  };
  context.lifecycle.add(`grpc client of ${definition.name}`, close);
  return { ...Object.fromEntries(methods), close } as Connection<D>;
}

// Only the DNS resolver sees every pod of a headless service; an address that names its resolver keeps it.
function targetOf(address: string): string {
  return /^(dns|ipv4|ipv6|unix):/.test(address) ? address : `dns:///${address}`;
}

function caller(definition: GenericDefinition, method: GenericMethod, wire: Wire) {
  const { context, seconds } = wire;
  const grpcMethod = toGrpcMethod(definition, method);
  const way = isRepeatable(method) && wire.token === undefined ? attemptOverStream : attempt;
  const name = `${definition.name}/${method.name}`;
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': definition.fullName, 'rpc.method': method.name };

  /** The time of the last answer to this method that was no timeout. */
  let answeredAt = -Infinity;

  const timed = async (request: unknown, callContext: CallContext, traceparent: string | undefined) => {
    const started = performance.now();
    let code = 'OK';
    try {
      const answer = await way(grpcMethod, request, callContext, traceparent, wire);
      answeredAt = performance.now();
      return answer;
    } catch (thrown) {
      const error = publicError(thrown, callContext);
      code = error.code;
      if (code !== 'QUERY_TIMEOUT') answeredAt = isPeersAnswer(error) ? performance.now() : answeredAt;
      else if (answeredAt < started && !callContext.signal?.aborted) throw new NobodyAnswered(error);
      throw error;
    } finally {
      seconds.record((performance.now() - started) / 1_000, { method: name, code });
    }
  };

  return (request: unknown, callContext: CallContext) => {
    if (!context.tracing.enabled) return timed(request, callContext, callContext.traceparent);
    return context.tracing.withSpan(
      name,
      attributes,
      callContext.traceparent,
      (span) => timed(request, callContext, span.traceparent ?? callContext.traceparent),
      'client',
    );
  };
}

// A call that was cancelled fails because its caller's own work did, so it gives that reason and not gRPC's.
function publicError(thrown: unknown, { signal }: CallContext): ApiError {
  if (signal?.aborted) return toApiError(signal.reason);
  return isServiceError(thrown) ? fromServiceError(thrown) : toApiError(thrown);
}

function isServiceError(thrown: unknown): thrown is ServiceError {
  return thrown instanceof Error && 'metadata' in thrown && 'details' in thrown && !(thrown instanceof ApiError);
}

/** Uses the multiplexed stream if there is one, and a unary call if there is none or when it breaks. */
async function attemptOverStream(
  method: MethodDefinition<unknown, unknown>,
  request: unknown,
  callContext: CallContext,
  traceparent: string | undefined,
  wire: Wire,
): Promise<unknown> {
  const { workspaceId, requestId, signal } = callContext;
  signal?.throwIfAborted();
  const leftMs = leftOf(callContext, wire.context);
  const stream = wire.streams.pick();
  if (!stream) return attempt(method, request, callContext, traceparent, wire);
  const body = method.requestSerialize(request);
  try {
    const metadata = { workspaceId, requestId, traceparent, signal };
    return method.responseDeserialize(await stream.ask({ path: method.path, body, leftMs, ...metadata }));
  } catch (error) {
    if (!(error instanceof StreamLost)) throw error;
    return attempt(method, request, callContext, traceparent, wire);
  }
}

function leftOf({ deadline }: CallContext, { clock }: ServiceContext): number {
  const left = deadline === undefined ? DEFAULT_DEADLINE_MS : deadline - clock.now();
  if (left <= 0) throw new ApiError('QUERY_TIMEOUT', { cause: new Error('the deadline had passed before the call') });
  return left;
}

async function attempt(
  method: MethodDefinition<unknown, unknown>,
  request: unknown,
  callContext: CallContext,
  traceparent: string | undefined,
  { client, gate, context, token, actor }: Wire,
): Promise<unknown> {
  callContext.signal?.throwIfAborted();
  const left = leftOf(callContext, context);
  // gRPC uses the system's clock and the caller its own, so only the remaining time is passed on.
  const deadline = Date.now() + left;
  // Half of the time at most, so that a missing peer is reported as such and not as a timeout.
  const until = Date.now() + Math.min(RETRY_WITHIN_MS, left / 2);
  for (;;) {
    const waiting = gate(until);
    if (waiting) await waiting;
    try {
      return await sendCall(
        client,
        method,
        request,
        metadataOf({ actor, ...callContext }, traceparent, token),
        deadline,
        callContext.signal,
      );
    } catch (error) {
      // A stream of requests is used up once it was read, so only a single request can be sent again.
      if (method.requestStream || Date.now() >= until || !neverRan(error)) throw error;
      await pause(PAUSE_MS, undefined, callContext.signal && { signal: callContext.signal });
    }
  }
}

function metadataOf(
  { workspaceId, requestId, operationId, actor }: CallContext,
  traceparent: string | undefined,
  token: Token | undefined,
): Metadata {
  const metadata = new Metadata();
  bringToken(metadata, token);
  if (workspaceId) metadata.set(WORKSPACE_KEY, workspaceId);
  if (requestId) metadata.set(REQUEST_ID_KEY, requestId);
  if (operationId) metadata.set(OPERATION_KEY, operationId);
  if (actor) metadata.set(ACTOR_KEY, toMetadata(actor));
  if (traceparent) metadata.set(TRACEPARENT_KEY, traceparent);
  return metadata;
}
