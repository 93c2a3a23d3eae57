import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { ApiError } from '@postroom/errors/api-error';
import type { Limiter, LimitDecision } from '@postroom/limits/limiter';
import type { Feed } from '../feed/feed.ts';
import type { FairLimit } from '@postroom/runtime/fair-limit';
import { clientAddress } from '@postroom/runtime/client-address';
import type { ServiceContext } from '@postroom/runtime/service';
import type { Caller, ApiKeys } from '../keys/keys.ts';
import type { Answer } from '../response/answer.ts';
import type { Usage } from '../usage/usage.ts';
import type { Route, Services } from '../routes/table.ts';
import type { IdempotencyStore } from './idempotency-keys/idempotency-store.ts';

/** The dependencies of guards and routes, one for the life of the process. */
export interface Gateway {
  context: ServiceContext;
  keys: ApiKeys;
  limiter: Limiter;
  usage: Pick<Usage, 'note'>;
  idempotency: IdempotencyStore;
  services: Services;
  feed: Feed;
  /** The MCP server, which calls with the credentials of its clients. */
  mcp: { isCalling(request: IncomingMessage): boolean };
  connections: { markAuthenticated(socket: Socket): void };
  /** The number of proxies of our own in front of this process. */
  proxies: number;
  /** The calls that each workspace, or one mailbox of it that sends, has under way at once: more of them wait for its own. */
  calls: FairLimit;
}

/** A body on its way in, from the arrival of its request on. */
export interface Intake {
  /** Why it will never be there; the first to be known. */
  readonly fault: ApiError | undefined;
  /** The bytes, once they are all there. */
  receive(limitMs: number): Promise<Buffer>;
  /** The body is no longer needed. */
  release(): void;
}

/** A path that no route has: it is authenticated and counted like the others, and no scope is asked. */
export type Endpoint = Route | Unknown;
interface Unknown {
  path: 'unknown';
}

interface Input {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

export type Validated = { input: Input } | { faults: Record<string, string[]> };

/** One request on its way through the guards, each of which adds what it found out. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly endpoint: Endpoint;
  readonly params: Record<string, string>;
  readonly requestId: string;
  /** Milliseconds since the epoch, by the injected clock. */
  readonly deadline: number;
  traceparent: string | undefined;
  caller: Caller | undefined;
  /** The last word of the limiter: the six headers are read off it. */
  verdict: LimitDecision | undefined;
  /** Units charged to the month so far. */
  reserved: number;
  /** The bytes of the body on their way in, undefined for none. */
  intake: Intake | undefined;
  /** The JSON of the body, undefined for none. */
  body: unknown;
  /** Why the body could not be read: it is thrown once the call has been charged. */
  unreadable: unknown;
  validated: Validated | undefined;
  /** It is the same for every attempt with one Idempotency-Key; undefined before the key is read, and without one. */
  operationId: string | undefined;
  /** An earlier attempt under the same key may have done something. */
  mayHaveRun: boolean;
  /** The route was called. */
  isBegun: boolean;
  /** Functions that change any answer before it is written, the last added first. */
  readonly afterwards: ((answer: Answer) => Promise<Answer> | Answer)[];
}

/** A step of the chain: lets the exchange pass, answers in the route's place, or throws an ApiError. */
export type Guard = (exchange: Exchange, gateway: Gateway) => Promise<Answer | undefined> | Answer | undefined | void;

export function isRoute(endpoint: Endpoint): endpoint is Route {
  return 'call' in endpoint;
}

export function isDiscovery({ endpoint }: Exchange): boolean {
  return isRoute(endpoint) && endpoint.isDiscovery === true;
}

/** The MCP server names the address of its client, whatever stands in front of it. */
export function addressOf(request: IncomingMessage, { mcp, proxies }: Pick<Gateway, 'mcp' | 'proxies'>): string {
  return clientAddress(request, mcp.isCalling(request) ? 1 : proxies);
}

export function callerOf(exchange: Exchange): Caller {
  if (!exchange.caller) throw new Error('no caller yet: the key check comes first');
  return exchange.caller;
}
