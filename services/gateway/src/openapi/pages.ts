import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { once } from '@postroom/runtime/once';
import { json, type Answer } from '../response/answer.ts';
import type { Route } from '../routes/table.ts';
import { describeApi } from './describe-api.ts';

/** The pages that everybody can read, without a key and without a count. */
export interface Page {
  path: string;
  answer(): Answer;
}

/** Nothing from elsewhere, nothing inline; the style sheet of the page brings its pictures with it as data. */
const POLICY = "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; frame-ancestors 'none'";
const KEPT = { cacheControl: 'public, max-age=86400' };
const SCRIPT = { type: 'text/javascript; charset=utf-8' };

export function openPages(routes: readonly Route[], publicUrl: string | undefined, mcpUrl?: string): Page[] {
  const prefix = prefixOf(publicUrl);
  const addresses = { docs: `${prefix}/docs`, openapi: `${prefix}/api/v1/openapi.json` };
  // Most gateways are never asked for a page.
  const description = once(() => Buffer.from(JSON.stringify(describeApi(routes, publicUrl))));
  const html = Buffer.from(documentationPage(addresses.docs));
  const start = Buffer.from(startScript(addresses.openapi));
  return [
    page('/api/v1/openapi.json', description),
    page('/docs', () => html, { type: 'text/html; charset=utf-8', headers: { 'Content-Security-Policy': POLICY } }),
    page('/docs/start.js', () => start, SCRIPT),
    page('/docs/swagger-ui-bundle.js', installed('swagger-ui-bundle.js'), { ...SCRIPT, ...KEPT }),
    page('/docs/swagger-ui.css', installed('swagger-ui.css'), { type: 'text/css; charset=utf-8', ...KEPT }),
    page('/docs/favicon-32x32.png', installed('favicon-32x32.png'), { type: 'image/png', ...KEPT }),
    // The redirect for people and tools with an incomplete address.
    signpost('/', addresses.docs, addresses),
    signpost('/docs/', addresses.docs, addresses),
    signpost('/api/v1', addresses.openapi, addresses),
    ...(mcpUrl === undefined ? [] : [signpost('/mcp', mcpUrl, { mcp: mcpUrl })]),
  ];
}

function page(path: string, content: () => Buffer, answer: Partial<Answer> = {}): Page {
  return { path, answer: () => ({ status: 200, body: content(), ...answer }) };
}

function signpost(path: string, to: string, addresses: Record<string, string>): Page {
  return { path, answer: () => ({ ...json(302, addresses), headers: { Location: to } }) };
}

/** A file of the installed package. */
function installed(file: string): () => Buffer {
  return once(() => readFileSync(join(dirname(require.resolve('swagger-ui-dist/package.json')), file)));
}

// Addresses are relative to where the page stands, which a proxy may have put under a prefix.
function documentationPage(docs: string): string {
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

function startScript(url: string): string {
  const settings = {
    url,
    dom_id: '#page',
    deepLinking: true,
    persistAuthorization: false,
    tryItOutEnabled: true,
    filter: true,
    // The public validator would learn the address of this installation.
    validatorUrl: null,
  };
  return `const settings = ${JSON.stringify(settings)};
const wordsOf = (operation) =>
  [operation.get('method'), operation.get('path'), operation.getIn(['operation', 'summary'])].join(' ').toLowerCase();
// By itself the page looks through the names of its groups only.
const opsFilter = (groups, phrase) =>
  groups
    .map((group) => group.update('operations', (all) => all.filter((each) => wordsOf(each).includes(phrase.toLowerCase()))))
    .filter((group) => group.get('operations').size > 0);
window.ui = SwaggerUIBundle({ ...settings, plugins: [() => ({ fn: { opsFilter } })] });
`;
}

function prefixOf(publicUrl: string | undefined): string {
  return publicUrl === undefined ? '' : new URL(publicUrl).pathname.replace(/\/api\/v1\/?$/, '').replace(/\/$/, '');
}
