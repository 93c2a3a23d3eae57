import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createLog } from '@postroom/runtime/log';
import { KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';
import { rawHttp } from './raw-http.ts';

const lines: string[] = [];
let gateway: LoneGateway;
beforeAll(async () => {
  const log = createLog('gateway', 'info', { write: (line) => void lines.push(line) });
  gateway = await openLoneGateway({ log });
});
afterAll(() => gateway.close());

const HOST = 'Host: x';
const long = 'x'.repeat(60_000);
const authorization = `Authorization: Bearer ${KEY}`;
const KINDS: [string, number, string[]][] = [
  ['no HTTP at all', 400, ['hello there']],
  ['a version of its own', 400, ['GET / HTTP/9.9', HOST]],
  ['a made-up method', 400, ['BREW /api/v1/labels HTTP/1.1', HOST]],
  ['a method in small letters', 400, ['get /api/v1/labels HTTP/1.1', HOST]],
  ['both lengths', 400, ['POST /api/v1/labels HTTP/1.1', HOST, 'Content-Length: 5', 'Transfer-Encoding: chunked']],
  ['a length that is none', 400, ['POST /api/v1/labels HTTP/1.1', HOST, 'Content-Length: many']],
  ['two lengths', 400, ['POST /api/v1/labels HTTP/1.1', HOST, 'Content-Length: 5', 'Content-Length: 6']],
  ['a header without a name', 400, ['GET /api/v1/labels HTTP/1.1', HOST, ': x']],
  ['a space before a colon', 400, ['GET /api/v1/labels HTTP/1.1', HOST, 'X-Odd : x']],
  ['a NUL in a header', 400, ['GET /api/v1/labels HTTP/1.1', HOST, 'X-Odd: a\0b']],
  ['an over-long address', 400, [`GET /api/v1/emails?search=${long} HTTP/1.1`, HOST]],
  ['an over-long header', 400, ['GET /api/v1/labels HTTP/1.1', HOST, `X-Long: ${long}`]],
  ['CONNECT', 404, ['CONNECT example.com:443 HTTP/1.1', HOST]],
  ['an asterisk', 404, ['OPTIONS * HTTP/1.1', HOST]],
  ['nothing that is there', 404, ['GET /elsewhere HTTP/1.1', HOST]],
  ['a route without a key', 401, ['GET /api/v1/labels HTTP/1.1', HOST]],
  ['an Expect that cannot be met', 400, ['GET /api/v1/labels HTTP/1.1', HOST, authorization, 'Expect: miracles']],
  ['no route', 404, ['GET /api/v1/nothing HTTP/1.1', HOST, authorization]],
  ['the description', 200, ['GET /api/v1/openapi.json HTTP/1.1', HOST]],
  ['the API page', 200, ['GET /docs HTTP/1.1', HOST]],
  ['the root', 302, ['GET / HTTP/1.1', HOST]],
];

describe.each(KINDS)('a request for %s', (_what, status, request) => {
  it(`${status} with the headers that every answer has, logged and counted`, async () => {
    const answer = await rawHttp(gateway.baseUrl, request);
    expect(answer.status).toBe(status);
    const { 'x-request-id': requestId, date } = answer.headers;
    expect(answer.headers).toMatchObject({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
    expect([requestId, date]).toEqual([expect.stringMatching(/^req_/), expect.stringMatching(/GMT$/)]);
    const logged = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(logged.filter((line) => line['requestId'] === requestId)).toMatchObject([{ msg: 'request', status }]);
  });
});

describe('every answer', () => {
  it('is counted, those too that no route made', async () => {
    const page = await gateway.context.metrics.page();
    const counts = [...page.matchAll(/^http_request_seconds_count\{(.*)\} (\d+)$/gm)];
    expect(counts.reduce((sum, [, , count]) => sum + Number(count), 0)).toBe(KINDS.length);
    expect(page).toContain('route="unreadable"');
  });

  it('that is a 401 says how to ask: WWW-Authenticate', async () => {
    const answer = await rawHttp(gateway.baseUrl, ['GET /api/v1/labels HTTP/1.1', HOST]);
    expect(answer.headers).toMatchObject({ 'www-authenticate': 'Bearer' });
  });
});

describe('half an address leads on', () => {
  it.each([
    ['/', '/docs'],
    ['/docs/', '/docs'],
    ['/api/v1', '/api/v1/openapi.json'],
  ])('302 from %s to %s, saying so in JSON too', async (from, to) => {
    const response = await fetch(new URL(from, gateway.baseUrl), { redirect: 'manual' });
    expect([response.status, response.headers.get('location')]).toEqual([302, to]);
    expect(await response.json()).toEqual({ docs: '/docs', openapi: '/api/v1/openapi.json' });
    expect((await fetch(new URL(from, gateway.baseUrl))).status).toBe(200);
  });
});
