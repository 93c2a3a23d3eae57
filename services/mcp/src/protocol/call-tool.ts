import type { CallToolResult } from '@modelcontextprotocol/server';
import { ApiError, toApiError } from '@postroom/errors/api-error';
import type { ServiceContext } from '@postroom/runtime/service';
import type { ClientCredentials, GatewayClient } from '../gateway/gateway-client.ts';
import { errorResult, type Tool, toolResult } from '../tools/catalogue.ts';

interface Deps {
  context: ServiceContext;
  gateway: GatewayClient;
}

type Failure = Parameters<typeof errorResult>[0];
type CallTool = (
  tool: Tool,
  given: Readonly<Record<string, unknown>>,
  credentials: ClientCredentials,
  signal: AbortSignal,
) => Promise<CallToolResult>;

/** Makes the call of the API that a tool stands for. */
export function createToolCalls({ context, gateway }: Deps): CallTool {
  const { log, ids, metrics } = context;
  const seconds = metrics.histogram('mcp_tool_seconds', 'How long calls of tools took, by tool and outcome.');

  return async (tool, given, credentials, signal) => {
    const startedAt = performance.now();
    const { result, outcome, requestId } = await context.tracing.withSpan(
      `tool ${tool.name}`,
      {},
      undefined,
      async (span) => {
        const attempted = await attempt(tool, given, credentials, signal);
        span.set('postroom.outcome', attempted.outcome);
        return attempted;
      },
      'server',
    );
    const duration = performance.now() - startedAt;
    seconds.record(duration / 1_000, { tool: tool.name, outcome });
    log.info({ tool: tool.name, outcome, requestId, ms: Math.round(duration) }, 'tool call');
    return result;
  };

  async function attempt(
    tool: Tool,
    given: Readonly<Record<string, unknown>>,
    credentials: ClientCredentials,
    signal: AbortSignal,
  ) {
    let requestId: string | undefined;
    try {
      const answer = await gateway.call(tool.call(given), credentials, signal);
      requestId = answer.requestId;
      if (answer.status >= 400) {
        const failure = failureIn(answer.body);
        return { result: errorResult(failure, requestId), outcome: failure.code, requestId };
      }
      return { result: toolResult(tool.show(answer.body, given, ids)), outcome: 'ok', requestId };
    } catch (thrown) {
      const { code, message, details, cause } = toApiError(thrown);
      if (code === 'INTERNAL_ERROR')
        log.error({ err: cause ?? thrown, tool: tool.name, requestId }, 'a tool call failed');
      return { result: errorResult({ code, error: message, details }, requestId), outcome: code, requestId };
    }
  }
}

function failureIn(body: unknown): Failure {
  if (typeof body === 'object' && body !== null && 'code' in body && 'error' in body) return body as Failure;
  throw new ApiError('INTERNAL_ERROR', { cause: new Error('the gateway refused a call without saying why') });
}
