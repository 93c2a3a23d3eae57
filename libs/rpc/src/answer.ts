import type { sendUnaryData } from '@grpc/grpc-js';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import { toGrpcStatus } from '@postroom/errors/grpc-status';
import type { Histogram } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import { DEFAULT_DEADLINE_MS } from './call.ts';
import type { Call } from './call.ts';
import type { GenericMethod, Implementation } from './definition.ts';
import { requireToken, type Token } from './token.ts';
import { readCall } from './incoming-call.ts';
import type { GrpcCall, IncomingCall } from './incoming-call.ts';

type Handler = (request: never, call: Call) => Promise<unknown>;

/** Answers one call: span, duration, log. Rejects with an ApiError. */
type AnswerCall = (request: unknown, call: IncomingCall) => Promise<unknown>;

/** One answer for each implemented method. gRPC itself answers UNIMPLEMENTED for others. */
export function answersFor(
  { definition, handlers, later }: Implementation,
  context: ServiceContext,
): { key: string; name: string; method: GenericMethod; answer: AnswerCall }[] {
  const seconds = context.metrics.histogram('rpc_server_seconds', 'How long gRPC calls took to answer.');
  const built = Object.entries(definition.methods).filter(([key]) => !later.includes(key));
  return built.map(([key, method]) => {
    const handler = handlers[key];
    if (!handler) throw new Error(`${definition.fullName} lacks a handler for ${key}`);
    const name = `${definition.fullName.split('.').at(-1)}/${method.name}`;
    const traced = withSpan(handler, name, definition.fullName, method, context);
    return { key, name, method, answer: measured(traced, name, seconds) };
  });
}

function withSpan(handler: Handler, name: string, service: string, method: GenericMethod, context: ServiceContext) {
  const { tracing } = context;
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method.name };

  return (request: unknown, call: IncomingCall): Promise<unknown> => {
    if (!tracing.enabled) return handler(request as never, call);
    const traced = { ...attributes, 'postroom.request_id': call.requestId, 'postroom.workspace_id': call.workspaceId };
    return tracing.withSpan(
      name,
      traced,
      call.parent,
      (span) => {
        call.traceparent = span.traceparent;
        return handler(request as never, call);
      },
      'server',
    );
  };
}

function measured(work: AnswerCall, name: string, seconds: Histogram): AnswerCall {
  return async (request, call) => {
    const started = performance.now();
    let code = 'OK';
    try {
      return await work(request, call);
    } catch (thrown) {
      const error = toApiError(thrown);
      code = error.code;
      report(error, call);
      throw error;
    } finally {
      call.finish();
      seconds.record((performance.now() - started) / 1_000, { method: name, code });
    }
  };
}

/** An answer as gRPC asks for it, one call at a time. */
export function toGrpcHandler(name: string, answer: AnswerCall, context: ServiceContext, token?: Token) {
  return async (grpcCall: GrpcCall, callback: sendUnaryData<unknown>) => {
    try {
      requireToken(grpcCall.metadata, token);
    } catch (refusal) {
      return callback(toGrpcStatus(refusal));
    }
    const call = readCall(grpcCall, name, context);
    grpcCall.on('cancelled', () => call.abort());
    const timer = limitWithoutDeadline(grpcCall, call, callback);
    try {
      callback(null, await answer('request' in grpcCall ? grpcCall.request : whole(grpcCall, call), call));
    } catch (error) {
      callback(toGrpcStatus(error));
    } finally {
      clearTimeout(timer);
    }
  };
}

/** The requests of a stream; throws where the caller gave up, which gRPC shows first as an ordinary end. */
async function* whole(requests: AsyncIterable<unknown>, call: IncomingCall): AsyncGenerator<unknown> {
  yield* requests;
  // A reset stream ends before the reset is known. One loop iteration later both are known.
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  call.signal.throwIfAborted();
}

// gRPC itself ends a call at the deadline its caller set; a caller that set none must not hold work here for ever.
function limitWithoutDeadline(grpcCall: GrpcCall, call: IncomingCall, callback: sendUnaryData<unknown>) {
  if (Number.isFinite(Number(grpcCall.getDeadline()))) return undefined;
  return setTimeout(() => {
    call.abort();
    callback(toGrpcStatus(new ApiError('QUERY_TIMEOUT')));
  }, DEFAULT_DEADLINE_MS);
}

/** A refusal is an answer; only what should not have happened is worth a line of its own. */
function report(error: ApiError, call: Call): void {
  if (error.code === 'INTERNAL_ERROR') call.log.error({ err: error.cause ?? error }, 'call failed');
  else if (error.code === 'QUERY_TIMEOUT') call.log.warn({ err: error.cause ?? error }, 'call took too long');
  else call.log.debug({ code: error.code }, 'call refused');
}
