import type { ServerReadableStream, ServerUnaryCall } from '@grpc/grpc-js';
import { ApiError } from '@postroom/errors/api-error';
import type { Log } from '@postroom/runtime/log';
import type { ServiceContext } from '@postroom/runtime/service';
import { actorIn, type Actor } from './actor.ts';
import {
  ACTOR_KEY,
  DEFAULT_DEADLINE_MS,
  OPERATION_KEY,
  REQUEST_ID_KEY,
  TRACEPARENT_KEY,
  WORKSPACE_KEY,
} from './call.ts';
import type { Call } from './call.ts';

export type GrpcCall = ServerUnaryCall<unknown, unknown> | ServerReadableStream<unknown, unknown>;

export interface IncomingCall extends Call {
  /** Stops the work that still runs for this call. */
  abort(): void;
  /** The call is answered: from here on nothing is aborted. */
  finish(): void;
  /** The trace context of the caller. */
  parent: string | undefined;
  traceparent: string | undefined;
}

/** The metadata of a request, whatever its transport. */
interface CallMetadata {
  workspaceId: string;
  /** Empty where the caller has none. */
  requestId: string;
  /** Empty where the caller has none, which is so of every read. */
  operationId?: string;
  actor?: Actor | undefined;
  parent: string | undefined;
  /** Not finite, or none, where the caller set no deadline. */
  leftMs: number | undefined;
}

export function readCall(grpcCall: GrpcCall, method: string, context: ServiceContext): IncomingCall {
  const text = (key: string) => grpcCall.metadata.get(key)[0]?.toString() ?? '';
  const metadata = {
    workspaceId: text(WORKSPACE_KEY),
    requestId: text(REQUEST_ID_KEY),
    operationId: text(OPERATION_KEY),
    actor: actorIn(text(ACTOR_KEY)),
    parent: text(TRACEPARENT_KEY) || undefined,
    // gRPC uses the system's clock and the service its own, so only the remaining time is passed on.
    leftMs: Number(grpcCall.getDeadline()) - Date.now(),
  };
  return openCall(metadata, method, context);
}

/** Values that most handlers do not use are made on demand. */
export function openCall(metadata: CallMetadata, method: string, context: ServiceContext): IncomingCall {
  const { clock } = context;
  const { workspaceId, parent, leftMs, actor } = metadata;
  const requestId = metadata.requestId || context.ids('req');
  const deadline = clock.now() + (Number.isFinite(leftMs) ? (leftMs as number) : DEFAULT_DEADLINE_MS);
  let controller: AbortController | undefined;
  let log: Log | undefined;
  let { operationId } = metadata;
  let state: 'running' | 'aborted' | 'finished' = 'running';

  return {
    workspaceId,
    requestId,
    deadline,
    parent,
    traceparent: parent,
    actor,
    remainingMs: () => Math.max(1, Math.round(deadline - clock.now())),
    get operationId() {
      return (operationId ||= context.ids('op'));
    },
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
