import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Answers one connection to the stream; the answers after the last of the script stay open and silent. */
export type StreamAnswer = (response: ServerResponse, request: IncomingMessage) => void;

export interface ScriptedStream {
  baseUrl: string;
  /** The paths that were asked, in order. */
  asked: string[];
  close(): Promise<void>;
}

interface ScriptedChange {
  seq: number;
  event?: string;
}

const END = '/api/v1/changes?since=now';

export function opened(response: ServerResponse): ServerResponse {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.write('retry: 1\n\n');
  return response;
}

export function lineOf({ seq, event = 'email.deleted' }: ScriptedChange): string {
  const change = {
    seq,
    id: `evt_${seq}`,
    event,
    createdAt: '2026-03-01T00:00:00.000Z',
    data: { emailId: `eml_${seq}` },
  };
  return `id: c${seq}\nevent: ${event}\ndata: ${JSON.stringify(change)}\n\n`;
}

export function refusing(status: number, code: string, more: object = {}, headers: Record<string, string> = {}) {
  return (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ code, error: 'No.', ...more }));
  };
}

/** The feed of an API that answers each connection to its stream by a script. */
export async function scriptedStream(answers: StreamAnswer[], end?: StreamAnswer): Promise<ScriptedStream> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url !== END) return (answers.shift() ?? opened)(response, request);
    if (end) return end(response, request);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ items: [], nextCursor: 'c0', hasMore: false }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api/v1`,
    asked,
    close: () => {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
