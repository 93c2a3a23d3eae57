import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { rawHttp } from './raw-http.ts';

const stack = useStack();
let home: TestWorkspace;
let authorization: string;

beforeAll(async () => {
  home = await stack.workspace();
  authorization = `Authorization: Bearer ${home.keys.read}`;
});

const raw = (line: string, ...headers: string[]) => rawHttp(stack.baseUrl, [line, 'Host: x', ...headers]);
const ANYTHING = [
  ['GET', '/api/v1/'],
  ['GET', '/api/v1/nothing/here'],
  ['GET', '/api/v1/labels/'],
  ['GET', '/api/v1/Labels'],
  ['GET', '/api/v1//labels'],
  ['GET', '/api/v1/labels/%'],
  ['GET', '/api/v1/labels/%E0%A4%A'],
  ['GET', '/api/v1/labels/%ff'],
  ['PUT', '/api/v1/labels'],
  ['HEAD', '/api/v1/labels'],
  ['OPTIONS', '/api/v1/labels'],
  ['TRACE', '/api/v1/labels'],
  ['QUERY', '/api/v1/labels'],
  ['PROPFIND', '/api/v1/labels'],
  ['DELETE', '/api/v1/labels'],
  ['POST', '/api/v1/openapi.json'],
] as const;

describe.each(ANYTHING)('%s %s', (method, path) => {
  it('401 INVALID_API_KEY without a key', async () => {
    const answer = await raw(`${method} ${path} HTTP/1.1`, 'Connection: close');
    expect(answer.status).toBe(401);
    expect(answer.headers['content-type']).toContain('application/json');
  });

  it('404 NOT_FOUND with one, and the six headers', async () => {
    const answer = await raw(`${method} ${path} HTTP/1.1`, authorization, 'Connection: close');
    expect(answer.status).toBe(404);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('x-ratelimit-'))).toHaveLength(6);
    const code = typeof answer.body === 'string' ? answer.body : answer.body.code;
    expect(code).toBe(method === 'HEAD' ? '' : 'NOT_FOUND');
  });
});

describe('an unknown route', () => {
  it('costs one request and one unit', async () => {
    const other = await stack.workspace();
    const remaining = async () => (await other.read.get('/nothing')).headers.get('x-ratelimit-quota-remaining');
    expect([await remaining(), await remaining()]).toEqual(['999999', '999998']);
  });

  it('404 in JSON also outside of the API, without a key', async () => {
    const response = await fetch(new URL('/elsewhere', stack.baseUrl));
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('404 for an asterisk, a whole address and CONNECT', async () => {
    expect((await raw('OPTIONS * HTTP/1.1')).status).toBe(404);
    expect((await raw('GET http://elsewhere.example/api/v1/nothing HTTP/1.1', authorization)).status).toBe(404);
    expect((await raw('CONNECT example.com:443 HTTP/1.1')).body).toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a NUL in a path is never a 500', async () => {
    const answer = await home.read.get('/labels/%00');
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
  });
});

describe('requests that Node would answer by itself', () => {
  it.each([
    ['is no HTTP', 'hello there'],
    ['has a version of its own', 'GET / HTTP/9.9'],
    ['has an unknown method', 'BREW /api/v1/labels HTTP/1.1'],
  ])('400 REQUEST_ERROR in JSON when a request %s', async (_what, line) => {
    const answer = await raw(line);
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });

  it.each([
    ['both lengths', ['Content-Length: 5', 'Transfer-Encoding: chunked']],
    ['a length that is none', ['Content-Length: many']],
    ['two lengths', ['Content-Length: 5', 'Content-Length: 6']],
    ['a header without a name', [': x']],
  ])('400 REQUEST_ERROR for %s', async (_what, headers) => {
    const answer = await raw('POST /api/v1/labels HTTP/1.1', authorization, ...headers);
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });

  it('400 REQUEST_ERROR for an over-long address and an over-long header block', async () => {
    const long = 'x'.repeat(60_000);
    const address = await raw(`GET /api/v1/emails?search=${long} HTTP/1.1`, authorization);
    const header = await raw('GET /api/v1/labels HTTP/1.1', authorization, `X-Long: ${long}`);
    expect([address.status, header.status]).toEqual([400, 400]);
    expect([address.body, header.body]).toMatchObject([{ code: 'REQUEST_ERROR' }, { code: 'REQUEST_ERROR' }]);
  });

  it('takes 24 KB of filters in the address', async () => {
    const tree = JSON.stringify({ id: 'a', label: 'subject', type: 'contains', value: '~'.repeat(500) });
    const encoded = [...Buffer.from(tree.padEnd(8_192))].map((byte) => `%${byte.toString(16).padStart(2, '0')}`);
    const answer = await home.read.get(`/emails?filters=${encoded.join('')}`);
    expect(answer.status).toBe(200);
  });

  it('400 REQUEST_ERROR for an Expect that cannot be met and for a missing Host, with the six headers', async () => {
    const expectation = await raw('GET /api/v1/labels HTTP/1.1', authorization, 'Expect: miracles');
    const hostless = await rawHttp(stack.baseUrl, ['GET /api/v1/labels HTTP/1.1', authorization]);
    for (const answer of [expectation, hostless]) {
      expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
      expect(answer.headers).toHaveProperty('x-ratelimit-limit');
    }
  });

  it('ignores an Upgrade it does not know', async () => {
    const answer = await raw('GET /api/v1/labels HTTP/1.1', authorization, 'Connection: Upgrade', 'Upgrade: websocket');
    expect(answer.status).toBe(200);
  });
});

describe('query parameters', () => {
  it.each([
    ['mailboxId=a&mailboxId=b', 'mailboxId'],
    ['folderType=INBOX&folderType=SENT', 'folderType'],
    ['folderType=inbox', 'folderType'],
    ['folderType=', 'folderType'],
    ['filtered=yes', 'filtered'],
    ['search=%00', 'search'],
    ['search=%ff', 'search'],
    ['cursor=abc', 'cursor'],
    ['filters=%7B', 'filters'],
    [`filters=${'x'.repeat(8_193)}`, 'filters'],
  ])('400 VALIDATION_FAILED naming the parameter for ?%s', async (query, name) => {
    const answer = await home.read.get(`/emails?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(answer.body.details[name]).toEqual([expect.any(String)]);
  });

  it.each(['limit=abc', 'limit=0', 'limit=-1', 'limit=9999', 'limit=', 'limit=1&limit=2', 'limit=%ff'])(
    '200 for ?%s: an unreadable limit is none',
    async (query) => expect((await home.read.get(`/emails?${query}`)).status).toBe(200),
  );

  it('200 for parameters nobody knows, given twice or not decodable', async () => {
    expect((await home.read.get('/emails?sort=date&sort=size&x=%ff&%ff=x&&=')).status).toBe(200);
  });

  it.each(['', 'q=a', `q=${'é'.repeat(201)}`, 'q=%20%20a%20', 'q=ab&q=cd'])(
    '400 VALIDATION_FAILED for /emails/search?%s',
    async (query) => {
      const answer = await home.read.get(`/emails/search?${query}`);
      expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
      expect(answer.body.details).toHaveProperty('q');
    },
  );

  it('200 for a term of two and of 200 code points, however many units they take', async () => {
    expect((await home.read.get(`/emails/search?q=${encodeURIComponent('🎉'.repeat(200))}`)).status).toBe(200);
    expect((await home.read.get('/emails/search?q=ab')).status).toBe(200);
  });
});
