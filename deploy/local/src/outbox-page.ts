import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CaughtMail } from './outbox.ts';

/** Nothing in a mail is taken for markup, and were it so, nothing of it would run or be fetched. */
const HEADERS = {
  'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'",
  'X-Content-Type-Options': 'nosniff',
  'Cache-Control': 'no-store',
};
const STYLE = 'body{font:15px sans-serif;margin:2em}pre{white-space:pre-wrap;background:#f4f4f4;padding:1em}';

/** The sent messages, as JSON under `url` and as a page above it. */
export async function openOutboxPage(
  outbox: CaughtMail,
  host: string,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const own = `${host}:${(server.address() as AddressInfo).port}`;
    // A page of the web that names this address by a name of its own gets nothing.
    if (request.headers.host !== own && request.headers.host !== own.replace(host, 'localhost')) return gone(response);
    if (request.method !== 'GET') return gone(response);
    if (request.url === '/outbox.json') return answer(response, 'application/json', JSON.stringify(asJson(outbox)));
    if (request.url === '/') return answer(response, 'text/html; charset=utf-8', pageOf(outbox));
    return gone(response);
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return {
    url: `http://${host}:${(server.address() as AddressInfo).port}/outbox.json`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function asJson(outbox: CaughtMail) {
  return outbox.list().map(({ id, from, to, raw }) => ({ id, from, to, raw: raw.toString('utf8') }));
}

function pageOf(outbox: CaughtMail): string {
  const mails = asJson(outbox)
    .reverse()
    .map(
      ({ from, to, raw }) =>
        `<h2>${escapeHtml(from)} &rarr; ${escapeHtml(to.join(', '))}</h2><pre>${escapeHtml(raw)}</pre>`,
    );
  const body = mails.length > 0 ? mails.join('\n') : '<p>Nothing was sent yet.</p>';
  return `<!doctype html><meta charset="utf-8"><title>Outbox</title><style>${STYLE}</style><h1>Outbox</h1>${body}`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { ...HEADERS, 'Content-Type': type }).end(body);
}

function gone(response: ServerResponse): void {
  response.writeHead(404, HEADERS).end();
}
