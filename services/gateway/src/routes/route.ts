import type { Feature, Scope } from '@postroom/contract/lists';
import type { ErrorCode } from '@postroom/errors/catalogue';
import type { Agent } from '@postroom/proto/postroom/v1/outbound_send';
import type { CallContext } from '@postroom/rpc/call';
import type { z } from 'zod';
import type { Feed } from '../feed/feed.ts';
import type { EventStream } from '../response/answer.ts';
import type { Services } from './services.ts';

/** The context of a route's call, beside its input. It is also valid as the context of a gRPC call. */
export interface RouteContext extends CallContext {
  workspaceId: string;
  requestId: string;
  deadline: number;
  /** The permissions of the key and of the plan, for refusals that depend on the body. */
  maySend: boolean;
  planIsPaid: boolean;
  scopes: readonly string[];
  agent: Agent;
  /** A page ends before it exceeds so many bytes, where its caller has a bound of its own. */
  pageBytes?: number | undefined;
  /** The header of that name, by which a client of a stream says where it was. */
  lastEventId?: string | undefined;
}

/** The part of a call that may take longer than a request. It counts as none, and holds no permit. */
export interface Later<Reply> {
  later(means: LaterMeans): Promise<Reply | EventStream>;
}

export interface LaterMeans {
  /** Aborted when the client is gone. */
  signal: AbortSignal;
  feed: Feed;
  /** Makes one more call, with a permit and the time of a request, for a caller who would still be let in. */
  callAgain<T>(call: (context: RouteContext) => Promise<T>): Promise<T>;
  /** Whether the key would still be let in. */
  isStillAllowed(): Promise<boolean>;
}

type PathParams<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? { [Key in Name]: string } & PathParams<Rest>
  : unknown;

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/**
 * POST says whether it can be replayed; the other methods need no key for that. If the outcome may stay open longer
 * than a call lasts, the service finds the earlier attempt by the operation's id. While the outcome is open it answers
 * 408 or 409; these answers are not stored, and the key stays with its request. `notBegun` is the error text for an
 * operation that surely has not begun. `secretField` names the field of the reply that is stored sealed.
 */
type Verb =
  | { method: 'POST'; idempotent: boolean; outcomeMayBeOpen?: { notBegun: string }; secretField?: string }
  | { method: Exclude<Method, 'POST'>; idempotent?: never; outcomeMayBeOpen?: never; secretField?: never };

interface Words {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** The endpoint exists only where this part of the API is open. */
  feature?: Feature;
  /** Codes of its own, beside those every endpoint may answer. */
  errors: readonly ErrorCode[];
}

interface Spec<Path extends string, Query extends z.ZodType, Body extends z.ZodType, Reply extends z.ZodType> {
  /** Relative to the base address, with parameters in braces. */
  path: Path & `/${string}`;
  scope: Scope;
  /** The Send emails permission, where the whole endpoint needs it; or a level of an agent that lets it ask for a send. */
  permission?: 'send' | 'agentSend';
  query?: Query;
  body?: Body;
  /** No schema: no body. */
  reply: { status: 200 | 201 | 202 | 204; schema?: Reply; type?: 'text/event-stream'; description: string };
  /** Quota units reserved for a valid body, and how many of them the reply has used; one unit without this. */
  units?: { reserve(body: z.output<Body>): number; used(reply: z.input<Reply>): number };
  /** For the MCP server alone: to every other caller the path does not exist, and no description names it. */
  forMcp?: true;
  /** It says what its caller may do: it needs no scope and counts in no limit. */
  isDiscovery?: true;
  /** A slow call is limited under this name, not under its workspace, so that it does not delay other calls there. */
  waitsFor?: (body: z.output<Body>) => string;
  /** A Buffer is JSON that is passed on as it came. */
  call(
    input: { params: PathParams<Path>; query: z.output<Query>; body: z.output<Body> },
    services: Services,
    context: RouteContext,
  ): Promise<z.input<Reply> | Buffer | Later<z.input<Reply>>>;
}

/** A route with its types checked and forgotten: authentication, limits, validation and the description read it. */
export interface Route extends Words {
  method: Method;
  path: string;
  scope: Scope;
  permission?: 'send' | 'agentSend';
  idempotent: boolean;
  outcomeMayBeOpen?: { notBegun: string };
  secretField?: string;
  query?: z.ZodType;
  body?: z.ZodType;
  bodyIsOptional: boolean;
  reply: { status: number; schema?: z.ZodType; type?: string; description: string };
  units?: { reserve(body: unknown): number; used(reply: unknown): number };
  forMcp?: true;
  isDiscovery?: true;
  waitsFor?: (body: unknown) => string;
  call(
    input: { params: Record<string, string>; query: unknown; body: unknown },
    services: Services,
    context: RouteContext,
  ): Promise<unknown>;
}

export function defineRoute<
  const Path extends string,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Reply extends z.ZodType = z.ZodType,
>(spec: Words & Verb & Spec<Path, Query, Body, Reply>): Route {
  const bodyIsOptional = spec.body === undefined || spec.body.safeParse(undefined).success;
  return { ...spec, idempotent: spec.idempotent ?? false, bodyIsOptional } as unknown as Route;
}
