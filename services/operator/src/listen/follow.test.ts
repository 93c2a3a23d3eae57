import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { follow, type Interruption } from './follow.ts';

let server: Server;
let connections: number;
let stop: AbortController;
let clock: ManualClock;
/** The answer of the stream. Without one, the server is silent. */
let answer: { status: number; headers?: Record<string, string>; body: string } | undefined;

beforeEach(async () => {
  [connections, stop, clock] = [0, new AbortController(), manualClock()];
  server = createServer(({ url }, response) => {
    if (url?.includes('since=now')) return void response.end('{"nextCursor":"c0"}');
    connections++;
    if (!answer) return void response.writeHead(200).write(': open\n\n');
    return void response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

/** Follows until there were so many interruptions, and moves time on while it waits for anything. */
async function interruptions(count: number): Promise<Interruption[]> {
  const seen: Interruption[] = [];
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const onInterruption = (interruption: Interruption) => {
    seen.push(interruption);
    if (seen.length === count) stop.abort();
  };
  const options = { clock, signal: stop.signal, onStart: () => undefined, onInterruption };
  let isOver = false;
  const following = follow({ baseUrl, key: 'k' }, options, () => Promise.resolve()).finally(() => (isOver = true));
  while (!isOver) {
    await new Promise((resolve) => setTimeout(resolve, 5));
    if (connections > seen.length || clock.sleeping > 0) await clock.advance(1_000);
  }
  await following;
  return seen;
}

it('takes a stream that is silent for 45 seconds for cut, and connects again', async () => {
  answer = undefined;
  const seen = await interruptions(2);
  expect(seen.map(({ reason }) => reason)).toEqual(Array(2).fill('the stream was silent for 45 seconds'));
  expect(connections).toBe(2);
});

it('waits longer after each failure, up to half a minute', async () => {
  answer = { status: 500, body: '{"code":"INTERNAL_ERROR","error":"No."}' };
  const seen = await interruptions(7);
  expect(seen.map(({ retryInMs }) => retryInMs / 1_000)).toEqual([1, 2, 4, 8, 16, 30, 30]);
});

it('waits as long as the API asks for, and takes the page of a proxy for an interruption', async () => {
  answer = { status: 429, headers: { 'retry-after': '50' }, body: '{"code":"RATE_LIMIT_EXCEEDED","error":"No."}' };
  expect(await interruptions(1)).toEqual([{ reason: 'the API answered RATE_LIMIT_EXCEEDED: No.', retryInMs: 50_000 }]);
  answer = { status: 502, body: '<html>' };
  stop = new AbortController();
  expect(await interruptions(1)).toMatchObject([{ reason: expect.stringContaining('answered 502, not as the API') }]);
});
