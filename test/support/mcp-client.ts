import {
  type CallToolResult,
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
  type Tool,
} from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Json } from './client.ts';

export const GENERATIONS = ['2026', '2025'] as const;
type Generation = (typeof GENERATIONS)[number];

/** The answer of a tool, as tests read it. */
export interface ToolAnswer {
  isError: boolean;
  /** The structured result, or what an error says. */
  value: Json;
}

export interface McpClient {
  list(): Promise<Tool[]>;
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

const IDENTITY = { name: 'test', version: '1.0.0' };

/** The official client of a generation of the protocol, connected with a key. */
export async function mcpClient(url: string, key: string, generation: Generation = '2026'): Promise<McpClient> {
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  const client = generation === '2026' ? modern() : new FormerClient(IDENTITY);
  const Transport = generation === '2026' ? ModernTransport : FormerTransport;
  await client.connect(new Transport(new URL(url), { requestInit }) as never);
  return {
    list: async () => (await client.listTools()).tools as Tool[],
    call: async (name, given = {}) => answerOf(await client.callTool({ name, arguments: given })),
    close: () => client.close(),
  };
}

/** It speaks no other generation than its own. */
function modern(): ModernClient {
  return new ModernClient(IDENTITY, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
}

function answerOf(result: { [name: string]: unknown }): ToolAnswer {
  const { isError = false, content, structuredContent } = result as unknown as CallToolResult;
  const [first] = content;
  const said = JSON.parse(first?.type === 'text' ? first.text : '') as Json;
  return { isError, value: isError ? said : (structuredContent as Json) };
}

/** One request, without a client. */
export async function postMcp(url: string, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}
