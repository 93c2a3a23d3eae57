import type { Socket } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { gate, KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';
import { rawConnection, rawHttp } from './raw-http.ts';

let gateway: LoneGateway;
let held = gate();
let socket: Socket;
let [calls, atOnce, mostAtOnce] = [0, 0, 0];
const listLabels = async () => {
  calls++;
  mostAtOnce = Math.max(mostAtOnce, ++atOnce);
  await held.opened;
  atOnce--;
  return { items: [] };
};
beforeAll(async () => {
  gateway = await openLoneGateway({ services: { labelRule: { listLabels } } });
});
afterEach(() => {
  held = gate();
  [calls, mostAtOnce] = [0, 0];
  socket?.destroy();
});
afterAll(() => gateway.close());

const AUTHORIZATION = `Authorization: Bearer ${KEY}`;
const LIST = ['GET /api/v1/labels HTTP/1.1', 'Host: x', AUTHORIZATION];
const bytesOf = (lines: string[]) => `${lines.join('\r\n')}\r\n\r\n`;
const open = async () => {
  const connection = await rawConnection(gateway.baseUrl);
  ({ socket } = connection);
  return connection;
};
/** Every answer that was given. */
const counted = async () =>
  [...(await gateway.context.metrics.page()).matchAll(/^http_request_seconds_count\{.*\} (\d+)/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
const statuses = (text: string) => [...text.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status);

describe('a caller who has closed its own side', () => {
  it('200 for what it has asked, also when the answer takes its time', async () => {
    const { heard } = await open();
    socket.end(bytesOf(LIST));
    await new Promise((resolve) => setTimeout(resolve, 50));
    held.open();
    await eventually(() => expect(statuses(heard())).toEqual(['200']));
  });

  it('400 REQUEST_ERROR for a request it has broken off', async () => {
    const { heard } = await open();
    socket.end('GET /api/v1/labels HTTP/1.1\r\nHost');
    await eventually(() => expect(heard()).toContain('REQUEST_ERROR'));
  });
});

describe('requests one after the other on one connection', () => {
  it('are answered in their order', async () => {
    const { heard } = await open();
    held.open();
    socket.write(bytesOf(LIST) + bytesOf(['GET /elsewhere HTTP/1.1', 'Host: x']) + bytesOf(LIST));
    await eventually(() => expect(statuses(heard())).toEqual(['200', '404', '200']));
  });

  it.each([
    ['rubbish', 'rubbish\r\n\r\n', '400'],
    ['CONNECT', bytesOf(['CONNECT x:443 HTTP/1.1', 'Host: x']), '404'],
  ])('200 for the one before %s, which is refused, and the connection ends', async (_what, next, status) => {
    const { heard } = await open();
    socket.write(bytesOf(LIST) + next);
    held.open();
    await eventually(() => expect(socket.readableEnded).toBe(true));
    expect(statuses(heard())).toEqual(['200', status]);
    expect(heard()).toMatch(/Connection: close\r\n[^]*\}$/);
  });

  it('are begun one after the other, however many come at once', async () => {
    const { heard } = await open();
    socket.write(bytesOf(LIST).repeat(50));
    await eventually(() => expect(calls).toBe(1));
    held.open();
    await eventually(() => expect(statuses(heard())).toHaveLength(50));
    expect(calls).toBe(50);
    expect(mostAtOnce).toBe(1);
  });

  it('401 INVALID_API_KEY for the first without a key, and no other is looked at', async () => {
    const { heard } = await open();
    const before = await counted();
    socket.write(bytesOf(['GET /api/v1/labels HTTP/1.1', 'Host: x']).repeat(5_000));
    await eventually(() => expect(socket.readableEnded).toBe(true));
    expect(statuses(heard())).toEqual(['401']);
    expect(heard()).toContain('Connection: close\r\n');
    expect((await counted()) - before).toBe(1);
  });
});

describe('a header that is there twice', () => {
  it('401 INVALID_API_KEY for two keys, be one of them good', async () => {
    const answer = await rawHttp(gateway.baseUrl, [...LIST, `Authorization: Bearer mk_${'x'.repeat(40)}`]);
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
  });

  it('400 REQUEST_ERROR for two hosts', async () => {
    const answer = await rawHttp(gateway.baseUrl, [...LIST, 'Host: y']);
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' } });
  });
});

it('a header is read, however many came before it', async () => {
  held.open();
  const many = Array.from({ length: 3_000 }, (_, at) => `A${at}: b`);
  const answer = await rawHttp(gateway.baseUrl, [...LIST.slice(0, 2), ...many, AUTHORIZATION]);
  expect(answer.status).toBe(200);
});
