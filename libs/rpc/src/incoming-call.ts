import type { ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { Log } from '@postroom/runtime/log';
import type { ServiceContext } from '@postroom/runtime/service';
import { DEFAULT_DEADLINE_MS, REQUEST_ID_KEY, TRACEPARENT_KEY, WORKSPACE_KEY } from './call.ts';
import type { Call } from './call.ts';

export type GrpcCall = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>;

export interface IncomingCall extends Call {
  /** Tells what still runs for this call to stop. */
  abort(): void;
  /** The call is answered: from here on nothing is aborted. */
  finish(): void;
  /** What the caller said about its trace. */
  parent: string | undefined;
  traceparent: string | undefined;
}

/** Reads a call's metadata; what most handlers never ask for is made when it is asked for. */
export function readCall(grpcCall: GrpcCall, method: string, context: ServiceContext): IncomingCall {
  const { clock } = context;
  const text = (key: string) => grpcCall.metadata.get(key)[0]?.toString() ?? '';
  const workspaceId = text(WORKSPACE_KEY);
  const requestId = text(REQUEST_ID_KEY) || context.ids('req');
  const parent = text(TRACEPARENT_KEY) || undefined;
  // gRPC counts by the system's clock and the service by its own, so only the time left goes from one to the other.
  const asked = Number(grpcCall.getDeadline()) - Date.now();
  const deadline = clock.now() + (Number.isFinite(asked) ? asked : DEFAULT_DEADLINE_MS);
  let controller: AbortController | undefined;
  let log: Log | undefined;
  let state: 'running' | 'aborted' | 'finished' = 'running';

  return {
    workspaceId,
    requestId,
    deadline,
    parent,
    traceparent: parent,
    remainingMs: () => Math.max(1, Math.round(deadline - clock.now())),
    get log() {
      return (log ??= context.log.child({ requestId, workspaceId, method }));
    },
    get signal() {
      if (!controller) {
        controller = new AbortController();
        if (state === 'aborted') controller.abort(tooLate());
      }
      return controller.signal;
    },
    abort: () => {
      if (state !== 'running') return;
      state = 'aborted';
      controller?.abort(tooLate());
    },
    finish: () => {
      if (state === 'running') state = 'finished';
    },
  };
}

function tooLate(): ApiError {
  return new ApiError('QUERY_TIMEOUT', { cause: new Error('the deadline passed or the caller went away') });
}
