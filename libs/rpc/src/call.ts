import type { Actor } from '@postroom/contract/actor';
import type { Log } from '@postroom/runtime/log';
import { timeLimits } from '@postroom/runtime/time-limits';

/** The facts about a call for its handler. It can be passed as the context of further calls. */
export interface Call {
  /** Empty when the call carries none. */
  readonly workspaceId: string;
  readonly requestId: string;
  /** The id of the original operation. A repeat has the same id, and finds the result of the first one. */
  readonly operationId: string;
  /** Milliseconds since the epoch, by the clock of the service. */
  readonly deadline: number;
  /** Aborted when the deadline passes or the caller leaves. */
  readonly signal: AbortSignal;
  /** The remaining milliseconds for the database, never below 1. */
  remainingMs(): number;
  /** Carries the request id and the workspace. */
  readonly log: Log;
  readonly traceparent?: string | undefined;
  /** The one who asked for it; undefined for a call that services make among themselves. */
  readonly actor?: Actor | undefined;
}

/** The metadata of a request. */
export interface CallContext {
  workspaceId?: string | undefined;
  requestId?: string | undefined;
  /** Without one the callee takes the call for an operation of its own. */
  operationId?: string | undefined;
  /** Milliseconds since the epoch, by the clock of the service; the default applies without one. */
  deadline?: number | undefined;
  traceparent?: string | undefined;
  /** The one who asks for a change. Reads tell nobody. */
  actor?: Actor | undefined;
  /** Cancels the call. */
  signal?: AbortSignal | undefined;
}

/** A call without a deadline of its own gets the contract's. */
export const DEFAULT_DEADLINE_MS = timeLimits.requestMs;

/** The metadata keys, so that both ends spell them alike. */
export const WORKSPACE_KEY = 'postroom-workspace';
export const REQUEST_ID_KEY = 'postroom-request-id';
export const OPERATION_KEY = 'postroom-operation';
export const ACTOR_KEY = 'postroom-actor';
export const TRACEPARENT_KEY = 'traceparent';
