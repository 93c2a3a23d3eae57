import type { Feature } from '@postroom/contract/lists';
import { changingToken } from '@postroom/rpc/token';
import type { ServiceContext } from '@postroom/runtime/service';
import { timeLimits } from '@postroom/runtime/time-limits';
import { Pool } from 'undici';

/** One call of the REST API. */
export interface RestCall {
  method: 'GET' | 'POST' | 'PATCH';
  /** Behind the base address, with its parameters filled in. */
  path: string;
  query?: URLSearchParams;
  body?: unknown;
  idempotencyKey?: string | undefined;
}

export interface RestAnswer {
  status: number;
  /** Undefined where the answer has no body. */
  body: unknown;
  requestId?: string | undefined;
}

/** The credentials that a client sent. The gateway judges them. */
export interface ClientCredentials {
  authorization: string;
  /** The address of the client, for the log of what was done. */
  clientAddress: string;
}

/** The permissions of the owner of the credentials, and the open parts of the API. */
export interface Rights {
  scopes: readonly string[];
  maySend: boolean;
  features: readonly Feature[];
}

export interface GatewayClient {
  call(call: RestCall, credentials: ClientCredentials, signal?: AbortSignal): Promise<RestAnswer>;
}

/** A gateway that takes longer is gone without a word. */
const PROMPT_MS = timeLimits.answerMs + 1_000;
/** Longer than a poll waits for changes. */
const WAITING_MS = 60_000;
const CONNECTIONS = 256;

/** Makes the calls of clients at the gateway, whose guards are the only ones there are. */
export function createGatewayClient(
  { GATEWAY_ADDR, MCP_TOKEN }: { GATEWAY_ADDR: string; MCP_TOKEN: string },
  context: ServiceContext,
): GatewayClient {
  const open = (connections: number | null, answerMs: number) =>
    new Pool(`http://${GATEWAY_ADDR.replace(/^dns:\/+/, '')}`, {
      connections,
      headersTimeout: answerMs,
      bodyTimeout: answerMs,
    });
  const [prompt, waiting] = [open(CONNECTIONS, PROMPT_MS), open(null, WAITING_MS)];
  context.lifecycle.add('calls of the gateway', async () => {
    await Promise.all([prompt.close(), waiting.close()]);
  });
  const token = changingToken('MCP_TOKEN', MCP_TOKEN, context);

  return {
    call: async ({ method, path, query, body, idempotencyKey }, { authorization, clientAddress }, signal) => {
      const search = query && query.size > 0 ? `?${query.toString()}` : '';
      // Calls that wait for changes are bounded by the gateway, and hold no connection that others need.
      const pool = query?.has('wait') ? waiting : prompt;
      const traceparent = context.tracing.current();
      const answer = await pool.request({
        method,
        path: `/api/v1${path}${search}`,
        headers: {
          authorization,
          'postroom-mcp-token': token.toBring(),
          'x-forwarded-for': clientAddress,
          ...(traceparent !== undefined && { traceparent }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: signal ?? null,
      });
      const text = await answer.body.text();
      const requestId = answer.headers['x-request-id']?.toString();
      return { status: answer.statusCode, body: text === '' ? undefined : JSON.parse(text), requestId };
    },
  };
}
