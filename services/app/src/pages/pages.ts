import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { once } from '@postroom/runtime/once';
import type { ServiceContext } from '@postroom/runtime/service';

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};
const COMPRESSED = /^(text\/|application\/(json|manifest)|image\/svg)/;
/** The names of these files change with their content. */
const HASHED = /^\/assets\//;
const NONCE = '__CSP_NONCE__';
const NOT_BUILT =
  '<!doctype html><title>Postroom</title><p>The pages of the app are not built: run "npm run build".</p>';

interface PageFile {
  body: Buffer;
  gzip: (() => Buffer) | undefined;
  type: string;
  cacheControl: string;
}

/** Answers a GET of the path behind /app. Every path that is no file is a page of the application. */
export type ServePage = (path: string, request: IncomingMessage, response: ServerResponse) => void;

interface PagesOptions {
  folder: string;
  isSecure: boolean;
  context: Pick<ServiceContext, 'ids'>;
}

/** Reads the built pages once, and compresses each when it is first asked for. */
export function openBuiltPages({ folder, isSecure, context }: PagesOptions): ServePage {
  const files = existsSync(folder) ? filesIn(folder) : new Map<string, PageFile>();
  const index = files.get('/index.html')?.body.toString('utf8') ?? NOT_BUILT;
  files.delete('/index.html');
  return (path, request, response) => {
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Referrer-Policy', 'same-origin');
    if (isSecure) response.setHeader('Strict-Transport-Security', 'max-age=31536000');
    const file = files.get(path);
    if (file) sendFile(file, request, response);
    else if (HASHED.test(path)) sendMissing(response);
    else sendIndex(index, context.ids('nonce'), response);
  };
}

/** Styles that a script adds carry the nonce of their page; scripts are files of the app alone. */
const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ');

function sendIndex(index: string, nonce: string, response: ServerResponse): void {
  const body = Buffer.from(index.replaceAll(NONCE, nonce));
  response.writeHead(index === NOT_BUILT ? 503 : 200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': body.length,
    'Cache-Control': 'no-store',
    'Content-Security-Policy': policyFor(nonce),
    'Cross-Origin-Opener-Policy': 'same-origin',
  });
  response.end(body);
}

function sendFile(
  { body, gzip, type, cacheControl }: PageFile,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const isCompressed = gzip !== undefined && /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const sent = isCompressed ? gzip() : body;
  response.writeHead(200, {
    'Content-Type': type,
    'Content-Length': sent.length,
    'Cache-Control': cacheControl,
    ...(gzip && { Vary: 'Accept-Encoding' }),
    ...(isCompressed && { 'Content-Encoding': 'gzip' }),
  });
  response.end(sent);
}

function sendMissing(response: ServerResponse): void {
  response.writeHead(404, { 'Content-Length': 0, 'Cache-Control': 'no-store' });
  response.end();
}

function filesIn(folder: string): Map<string, PageFile> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    names.map((entry) => {
      const file = join(entry.parentPath, entry.name);
      const path = `/${file
        .slice(folder.length)
        .replace(/^[/\\]/, '')
        .replaceAll('\\', '/')}`;
      return [path, readPage(file, path)];
    }),
  );
}

function readPage(file: string, path: string): PageFile {
  const body = readFileSync(file);
  const type = TYPES[extname(file)] ?? 'application/octet-stream';
  const cacheControl = HASHED.test(path) ? 'public, max-age=31536000, immutable' : 'public, max-age=3600';
  return { body, gzip: COMPRESSED.test(type) ? once(() => gzipSync(body)) : undefined, type, cacheControl };
}
