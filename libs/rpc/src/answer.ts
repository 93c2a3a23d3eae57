import type { sendUnaryData, UntypedHandleCall } from '@grpc/grpc-js';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import { toGrpcStatus } from '@postroom/errors/grpc-status';
import type { Histogram } from '@postroom/runtime/metrics';
import type { ServiceContext } from '@postroom/runtime/service';
import { DEFAULT_DEADLINE_MS } from './call.ts';
import type { Call } from './call.ts';
import type { GenericMethod, Implementation } from './definition.ts';
import { readCall } from './incoming-call.ts';
import type { GrpcCall, IncomingCall } from './incoming-call.ts';

type Handler = (request: never, call: Call) => Promise<unknown>;

/** Wraps each handler of a service: deadline, span, duration, log, and thrown errors as statuses. */
export function answersFor(
  { definition, handlers, later }: Implementation,
  context: ServiceContext,
): Record<string, UntypedHandleCall> {
  const seconds = context.metrics.histogram('rpc_server_seconds', 'How long gRPC calls took to answer.');
  // What comes later is left to gRPC itself, which answers UNIMPLEMENTED.
  const built = Object.entries(definition.methods).filter(([key]) => !later.includes(key));
  const entries = built.map(([key, method]) => {
    const handler = handlers[key];
    if (!handler) throw new Error(`${definition.fullName} lacks a handler for ${key}`);
    return [key, answerFor(definition.fullName, method, handler, seconds, context)];
  });
  return Object.fromEntries(entries) as Record<string, UntypedHandleCall>;
}

function answerFor(
  service: string,
  method: GenericMethod,
  handler: Handler,
  seconds: Histogram,
  context: ServiceContext,
) {
  const name = `${service.split('.').at(-1)}/${method.name}`;
  const attributes = { 'rpc.system': 'grpc', 'rpc.service': service, 'rpc.method': method.name };

  const work = (request: unknown, call: IncomingCall): Promise<unknown> => {
    if (!context.tracing.enabled) return handler(request as never, call);
    const traced = { ...attributes, 'postroom.request_id': call.requestId, 'postroom.workspace_id': call.workspaceId };
    return context.tracing.withSpan(
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

  return async (grpcCall: GrpcCall, callback: sendUnaryData<unknown>) => {
    const started = performance.now();
    const call = readCall(grpcCall, name, context);
    grpcCall.on('cancelled', () => call.abort());
    const timer = limitWithoutDeadline(grpcCall, call, callback);
    let code = 'OK';
    try {
      const response = await work('request' in grpcCall ? grpcCall.request : whole(grpcCall, call), call);
      call.finish();
      callback(null, response);
    } catch (thrown) {
      call.finish();
      const error = toApiError(thrown);
      code = error.code;
      callback(toGrpcStatus(error));
      report(error, call);
    } finally {
      clearTimeout(timer);
      seconds.record((performance.now() - started) / 1_000, { method: name, code });
    }
  };
}

/** The requests of a stream; throws where the caller gave up, which gRPC shows first as an ordinary end. */
async function* whole(requests: AsyncIterable<unknown>, call: IncomingCall): AsyncGenerator<unknown> {
  yield* requests;
  // A reset stream ends before it is known to be reset. One turn later both are known.
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
