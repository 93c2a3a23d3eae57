import type { IncomingMessage } from 'node:http';
import { changingToken, isTaken } from '@postroom/rpc/token';
import type { ServiceContext } from '@postroom/runtime/service';

/** The header by which the MCP server shows that a request is its own. */
const HEADER = 'postroom-mcp-token';

interface McpPeer {
  /** Whether the request comes from the MCP server, which alone knows the token. */
  isCalling(request: IncomingMessage): boolean;
}

export function createMcpPeer(text: string | undefined, context: ServiceContext): McpPeer {
  const token = text === undefined ? undefined : changingToken('MCP_TOKEN', text, context);
  return {
    isCalling: ({ headers: { [HEADER]: brought } }) =>
      token !== undefined && typeof brought === 'string' && isTaken(brought, token),
  };
}
