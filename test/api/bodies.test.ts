import { request as httpRequest } from 'node:http';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';
import { chunked, rawHttp } from './raw-http.ts';

const stack = useStack();
let home: TestWorkspace;

beforeAll(async () => {
  home = await stack.workspace();
});

const LIMIT = 262_144;
let count = 0;
const label = () => ({ name: `Label ${++count}`, color: 'Red' });
/** A valid body of exactly this many bytes. */
const bodyOf = (bytes: number) => {
  const text = JSON.stringify({ ...label(), ignored: '' });
  return Buffer.from(text.replace('"ignored":""', `"ignored":"${'x'.repeat(bytes - text.length)}"`));
};
const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
  home.write.request('POST', '/labels', { raw, headers });
const head = (...headers: string[]) => [
  'POST /api/v1/labels HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${home.keys.write}`,
  ...headers,
];
describe('413 PAYLOAD_TOO_LARGE', () => {
  it('262,144 bytes pass, 262,145 do not', async () => {
    expect((await post(bodyOf(LIMIT))).status).toBe(201);
    const refused = await post(bodyOf(LIMIT + 1));
    expect(refused).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(refused.headers.has('x-ratelimit-remaining')).toBe(true);
  });

  it('counts raw bytes, not characters', async () => {
    const name = 'é'.repeat(131_072);
    expect((await post(JSON.stringify({ ...label(), name }))).status).toBe(413);
  });

  it('counts the same when the length is not announced', async () => {
    const headers = head('Content-Type: application/json', 'Transfer-Encoding: chunked');
    const exactly = bodyOf(LIMIT);
    const parts = [exactly.subarray(0, 100_000), exactly.subarray(100_000)];
    expect((await rawHttp(stack.baseUrl, headers, chunked(parts))).status).toBe(201);
    const refused = await rawHttp(stack.baseUrl, headers, chunked([bodyOf(LIMIT + 1)]));
    expect(refused).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
    expect(refused.headers).toHaveProperty('x-ratelimit-remaining');
  });

  it('comes before the content type and the content are looked at', async () => {
    expect((await post(Buffer.alloc(LIMIT + 1, 0xff), { 'content-type': 'text/plain' })).status).toBe(413);
  });

  it('comes for any route, on one that takes no body too', async () => {
    const answer = await home.write.request('DELETE', '/labels/lbl_x', { raw: Buffer.alloc(LIMIT + 1) });
    expect(answer.status).toBe(413);
  });

  it('comes without the body being sent when the caller asks first', async () => {
    const headers = head('Content-Type: application/json', 'Content-Length: 1000000000', 'Expect: 100-continue');
    expect(await rawHttp(stack.baseUrl, headers)).toMatchObject({ status: 413, body: { code: 'PAYLOAD_TOO_LARGE' } });
  });

  it('a caller that asks first and may send is told to go on', async () => {
    const body = JSON.stringify(label());
    const headers = head('Content-Type: application/json', `Content-Length: ${body.length}`, 'Expect: 100-continue');
    expect((await rawHttp(stack.baseUrl, headers, body)).status).toBe(201);
  });
});

describe('an upload without end', () => {
  /** Writes as long as the connection takes it; resolves with the status and what had been written. */
  const upload = (headers: Record<string, string>) =>
    new Promise<{ status: number; written: number }>((resolve, reject) => {
      const request = httpRequest(`${stack.baseUrl}/labels`, { method: 'POST', headers });
      const piece = Buffer.alloc(65_536, 0x20);
      let written = 0;
      let over = false;
      const pump = () => {
        while (!over && written < 1_000_000_000) {
          written += piece.length;
          if (!request.write(piece)) return request.once('drain', pump);
        }
        return undefined;
      };
      request.on('response', (response) => {
        over = true;
        response.resume();
        response.on('end', () => {
          request.destroy();
          resolve({ status: response.statusCode ?? 0, written });
        });
      });
      request.on('error', (error) => (over ? undefined : reject(error)));
      pump();
    });

  it.each([
    ['413 with a key', () => ({ authorization: `Bearer ${home.keys.write}` }), 413],
    ['401 without one', () => ({}), 401],
  ])('is answered %s long before it is over', async (_what, headers, status) => {
    const json = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    const outcome = await upload({ ...json, ...headers() });
    expect(outcome.status).toBe(status);
    expect(outcome.written).toBeLessThan(100_000_000);
  });

  it('is answered 413 also when many come at once', async () => {
    const headers = { authorization: `Bearer ${home.keys.write}`, 'content-length': '1000000000' };
    const outcomes = await Promise.all(Array.from({ length: 24 }, () => upload(headers)));
    expect(new Set(outcomes.map(({ status }) => status))).toEqual(new Set([413]));
    // The gateway reads every byte that a caller writes, so this sum bounds its work and its memory.
    expect(outcomes.reduce((sum, { written }) => sum + written, 0)).toBeLessThan(24 * 40_000_000);
  });
});

describe('400 REQUEST_ERROR', () => {
  const body = () => JSON.stringify(label());
  it.each([
    ['nothing', () => ''],
    ['spaces', () => '   '],
    ['half an object', () => '{"name":"A"'],
    ['single quotes', () => "{'name':'A'}"],
    ['a comma too many', () => '{"name":"A","color":"Red",}'],
    ['two values', () => '{} {}'],
    ['NaN', () => '{"name":NaN}'],
    ['a control character in a string', () => '{"name":"A\u0001"}'],
    ['bytes that are not UTF-8', () => Buffer.from([0x22, 0xff, 0xfe, 0x22])],
    ['an overlong encoding', () => Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['UTF-16', () => Buffer.from('{"name":"A"}', 'utf16le')],
    ['33 levels', () => '['.repeat(33) + ']'.repeat(33)],
    ['200,000 levels', () => '['.repeat(200_000)],
  ])('for %s', async (_what, raw) => {
    const answer = await post(raw());
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
    expect(answer.headers.has('x-ratelimit-remaining')).toBe(true);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset=iso-8859-1',
    'application/json, text/plain',
    'application/json; charset=utf-8; charset=utf-16',
    'application/json; profile="charset=utf-8',
    'json',
  ])('for the content type %s', async (type) => {
    expect(await post(body(), { 'content-type': type })).toMatchObject({
      status: 400,
      body: { code: 'REQUEST_ERROR' },
    });
  });

  it('for no content type', async () => {
    const answer = await rawHttp(stack.baseUrl, head('Content-Length: 2'), '{}');
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });

  it.each(['gzip', 'br', 'deflate', 'unheard-of'])('for the content encoding %s', async (encoding) => {
    const answer = await post(body(), { 'content-encoding': encoding });
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });

  it.each([0, 100])('for a chunk whose size is none, %d ms into the upload, with the six headers', async (afterMs) => {
    const headers = head('Content-Type: application/json', 'Transfer-Encoding: chunked');
    const answer = await rawHttp(stack.baseUrl, headers, 'zz\r\n{}\r\n', afterMs);
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
  });
});

describe('a body is read', () => {
  it('before rubbish that follows it on the same connection', async () => {
    const body = JSON.stringify(label());
    const headers = head('Content-Type: application/json', `Content-Length: ${body.length}`);
    const answer = await rawHttp(stack.baseUrl, headers, `${body}rubbish\r\n\r\n`);
    expect(answer.status).toBe(201);
  });

  it.each([
    'application/json',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
    'APPLICATION/JSON; charset="utf-8"',
    'application/json; odata=verbose',
    'application/json; profile="a; charset=b"; charset=utf-8',
  ])('with the content type %s', async (type) => {
    expect((await post(JSON.stringify(label()), { 'content-type': type })).status).toBe(201);
  });

  it('with 32 levels, of which the label takes no notice', async () => {
    const deep = `{"name":"Deep ${++count}","color":"Red","x":${'['.repeat(31)}${']'.repeat(31)}}`;
    expect((await post(deep)).status).toBe(201);
  });

  it('after a byte order mark', async () => {
    expect((await post(`\ufeff${JSON.stringify(label())}`)).status).toBe(201);
  });
});

describe('400 VALIDATION_FAILED names each faulty field', () => {
  const long = '🎉'.repeat(51);
  it.each([
    [[], ['body']],
    ['text', ['body']],
    [null, ['body']],
    [{}, ['name', 'color']],
    [{ name: '', color: '' }, ['name', 'color']],
    [{ name: '   ', color: 'Red' }, ['name']],
    [{ name: 1, color: ['Red'] }, ['name', 'color']],
    [{ name: long, color: 'c'.repeat(33) }, ['name', 'color']],
    [{ name: 'A\0B', color: 'Red' }, ['name']],
    [{ name: 'A\ud800', color: 'Red' }, ['name']],
  ])('for the label %j', async (body, fields) => {
    const answer = await home.write.post('/labels', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toEqual(fields);
    for (const field of fields) expect(answer.body.details[field]).toEqual([expect.any(String)]);
  });

  it.each([
    [{ action: 'markRead', emailIds: ['a'] }, ['isRead']],
    [{ action: 'markRead', emailIds: [], isRead: true }, ['emailIds']],
    [{ action: 'delete', emailIds: ['a', 1, null] }, ['emailIds[1]', 'emailIds[2]']],
    [{ action: 'delete', emailIds: 'a' }, ['emailIds']],
    [{ action: 'applyLabel', emailIds: ['a'] }, ['labelId']],
    [{ action: 'explode', emailIds: ['a'] }, ['action']],
    [{}, ['action']],
  ])('for the bulk call %j', async (body, fields) => {
    const answer = await home.write.post('/emails/bulk', body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toEqual(fields);
  });

  it.each([
    ['/labels/lbl_x', {}, ['name', 'color']],
    ['/emails/eml_x', {}, ['isRead', 'isStarred']],
    ['/emails/eml_x', { isRead: 'yes' }, ['isRead']],
    ['/views/viw_x', {}, ['name', 'icon', 'filters']],
    ['/views/viw_x', { icon: '<b>' }, ['icon']],
    ['/filters/flt_x', {}, ['type', 'value']],
    ['/filters/flt_x', { value: 'x'.repeat(256) }, ['value']],
  ])('for PATCH %s with %j', async (path, body, fields) => {
    const answer = await home.write.patch(path, body);
    expect(answer).toMatchObject({ status: 400, body: { code: 'VALIDATION_FAILED' } });
    expect(Object.keys(answer.body.details)).toEqual(fields);
  });
});
