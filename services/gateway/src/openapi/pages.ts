import { readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import type { Route } from '../route.ts';
import { describeApi } from './describe-api.ts';

/** What is served to everyone, without a key and uncounted. */
export interface Page {
  path: string;
  serve(request: IncomingMessage, response: ServerResponse): void;
}

type Headers = Record<string, string>;

/** Nothing from elsewhere, nothing inline; the style sheet of the page brings its pictures with it as data. */
const POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const DAY: Headers = { 'Cache-Control': 'public, max-age=86400' };
const JSON_TYPE = 'application/json; charset=utf-8';
const SCRIPT_TYPE = 'text/javascript; charset=utf-8';

export function openPages(routes: readonly Route[], publicUrl: string | undefined): Page[] {
  const description = Buffer.from(JSON.stringify(describeApi(routes, publicUrl)));
  const html = Buffer.from(documentationPage(publicUrl));
  const start = Buffer.from(startScript(publicUrl));
  return [
    page('/api/v1/openapi.json', JSON_TYPE, () => description),
    page('/docs', 'text/html; charset=utf-8', () => html, { 'Content-Security-Policy': POLICY }),
    page('/docs/start.js', SCRIPT_TYPE, () => start),
    page('/docs/swagger-ui-bundle.js', SCRIPT_TYPE, installed('swagger-ui-bundle.js'), DAY),
    page('/docs/swagger-ui.css', 'text/css; charset=utf-8', installed('swagger-ui.css'), DAY),
    page('/docs/favicon-32x32.png', 'image/png', installed('favicon-32x32.png'), DAY),
  ];
}

function page(path: string, type: string, content: () => Buffer, more: Headers = {}): Page {
  const headers = { 'Content-Type': type, 'X-Content-Type-Options': 'nosniff', ...more };
  return {
    path,
    serve: (_request, response) => {
      const bytes = content();
      response.writeHead(200, { ...headers, 'Content-Length': bytes.length }).end(bytes);
    },
  };
}

/** A file of the installed package, read when someone first asks: most gateways are never asked. */
function installed(file: string): () => Buffer {
  let content: Buffer | undefined;
  return () => (content ??= readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), file)));
}

// Addresses are relative to where the page stands, which a proxy may have put under a prefix.
function documentationPage(publicUrl: string | undefined): string {
  const docs = `${prefixOf(publicUrl)}/docs`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>Postroom API</title>
    <link rel="icon" href="${docs}/favicon-32x32.png" />
    <link rel="stylesheet" href="${docs}/swagger-ui.css" />
  </head>
  <body>
    <div id="page"></div>
    <script src="${docs}/swagger-ui-bundle.js"></script>
    <script src="${docs}/start.js"></script>
  </body>
</html>
`;
}

function startScript(publicUrl: string | undefined): string {
  const settings = {
    url: `${prefixOf(publicUrl)}/api/v1/openapi.json`,
    dom_id: '#page',
    deepLinking: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    // The public validator would be told the address of this installation.
    validatorUrl: null,
  };
  return `window.ui = SwaggerUIBundle(${JSON.stringify(settings)});\n`;
}

function prefixOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '');
}
