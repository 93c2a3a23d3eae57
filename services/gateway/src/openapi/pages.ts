import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Route } from '../route.ts';
import { describeApi } from './describe-api.ts';

/** What is served to everyone, without a key and uncounted. */
export interface Page {
  path: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

export function openPages(routes: readonly Route[], publicUrl: string | undefined): Page[] {
  const description = Buffer.from(JSON.stringify(describeApi(routes, publicUrl)));
  return [page('/api/v1/openapi.json', 'application/json; charset=utf-8', description)];
}

function page(path: string, type: string, content: Buffer): Page {
  const head = { 'Content-Type': type, 'Content-Length': content.length };
  return { path, serve: (_request, response) => void response.writeHead(200, head).end(content) };
}
