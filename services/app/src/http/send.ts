import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { type ApiError } from '@postroom/errors/api-error';
import { errorBody } from '@postroom/http/error-body';
import { safeFileName } from '../attachments/file-name.ts';
import type { FramePage } from '../frame/frame-page.ts';
import type { TextAnswer } from '../routes/table.ts';

/** Nothing of an answer in JSON is ever shown as a page. */
const COMMON = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
} as const;

export function sendJson(response: ServerResponse, status: number, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': body.length,
    ...COMMON,
  });
  response.end(body);
}

/** The one answer that is shown as a page: no other policy lets a browser do that. */
export function sendFrame(response: ServerResponse, { html, policy }: FramePage): void {
  const body = Buffer.from(html);
  response.writeHead(200, {
    ...COMMON,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    'Content-Security-Policy': policy,
    'Referrer-Policy': 'no-referrer',
    // A browser would otherwise look up the hosts of links, whose owner then knows that the mail was read.
    'X-DNS-Prefetch-Control': 'off',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(body);
}

/** A browser saves it and shows and runs nothing of it, whatever type its sender gave it. */
export function sendFile(response: ServerResponse, fileName: string, content: Buffer): void {
  response.writeHead(200, {
    ...COMMON,
    'Content-Type': 'application/octet-stream',
    'Content-Length': content.length,
    'Content-Disposition': safeFileName(fileName).disposition,
    'Content-Security-Policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(content);
}

export function sendNothing(response: ServerResponse): void {
  response.writeHead(204, COMMON);
  response.end();
}

/** A body that was not read to its end would be taken for the next request, so the connection ends. */
export function sendError(response: ServerResponse, error: ApiError): void {
  if (!response.req.complete) response.shouldKeepAlive = false;
  sendJson(response, error.httpStatus, errorBody(error));
}

/** Piece by piece, no faster than the browser takes them; it may leave at any time. */
export async function sendText(response: ServerResponse, { type, fileName, pieces }: TextAnswer): Promise<void> {
  const disposition = fileName && { 'Content-Disposition': `attachment; filename="${fileName}"` };
  response.writeHead(200, {
    'Content-Type': type,
    ...COMMON,
    // Proxies that collect an answer before they pass it on would hide each step.
    'X-Accel-Buffering': 'no',
    ...disposition,
  });
  for await (const piece of pieces) {
    if (response.destroyed) return;
    if (!response.write(piece)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
  response.end();
}
