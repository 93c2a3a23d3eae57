import type { Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { ok, openReceiver } from '../../../../test/support/webhook-receiver.ts';
import { createEndpointSender, type EndpointSender } from './send.ts';

const taken = { status: 200, isDelivered: true, error: null };
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let sender: EndpointSender;
beforeAll(async () => {
  receiver = await openReceiver(['hooks.test']);
});
afterAll(async () => {
  await receiver.close();
});
beforeEach(async () => {
  receiver.received.splice(0);
  receiver.answer(ok);
  sender = createEndpointSender({ ca: receiver.ca });
});

const post = (path = '/', { addresses = ['127.0.0.1'], workspaceId = 'wsp_1' } = {}) => {
  const url = new URL(path, 'https://hooks.test');
  const found = async () => ({ url, host: 'hooks.test', addresses, port: receiver.port });
  return sender.send(found, { workspaceId, headers: { 'content-type': 'application/json' }, body: '{}' });
};
/** A connection is used again an iteration of the event loop after its answer. */
const nextIteration = () => new Promise((resolve) => setImmediate(resolve));

it('a delivery is taken where the endpoint sends bytes behind its answer to the one before', async () => {
  const used = new Set<Socket | null>();
  receiver.answer((one, response) => {
    const { socket } = response;
    if (used.has(socket)) return void socket?.write('the rest of the answer before\r\n\r\n');
    used.add(socket);
    ok(one, response);
  });
  expect(await post('/1')).toEqual(taken);
  await nextIteration();
  expect(await post('/2')).toEqual(taken);
  expect(receiver.received.map(({ path }) => path)).toEqual(['/1', '/2', '/2']);
  sender.close();
});

it('an answer that is not HTTP is told as such', async () => {
  receiver.answer((_one, response) => void response.socket?.end('hello\r\n\r\n'));
  expect(await post()).toEqual({ status: null, isDelivered: false, error: 'the answer is not HTTP' });
  sender.close();
});

it('the second request of a delivery meets no connection that another delivery has used', async () => {
  const used = new Set<Socket | null>();
  const ends = new Map<string, () => void>();
  const answers: (() => void)[] = [];
  receiver.answer((one, response) => {
    const { socket } = response;
    if (used.has(socket)) {
      ends.set(one.path, () => void socket?.destroy());
      if (one.path === '/quick' || receiver.received.length > 4) ends.get(one.path)?.();
      return;
    }
    used.add(socket);
    answers.push(() => ok(one, response));
    // Two connections are open before either is free again.
    if (receiver.received.length !== 1) for (const answer of answers.splice(0)) answer();
  });
  expect(await Promise.all([post(), post()])).toEqual([taken, taken]);
  await nextIteration();
  const slow = post('/slow');
  expect(await post('/quick')).toEqual(taken);
  await nextIteration();
  ends.get('/slow')?.();
  expect(await slow).toEqual(taken);
  sender.close();
});

it('deliveries go over one connection where the name server tells the same addresses in another order', async () => {
  const sockets = new Set<Socket | null>();
  receiver.answer((one, response) => {
    sockets.add(response.socket);
    ok(one, response);
  });
  for (const addresses of [
    ['127.0.0.1', '127.0.0.2'],
    ['127.0.0.2', '127.0.0.1'],
  ]) {
    expect(await post('/', { addresses })).toEqual(taken);
    await nextIteration();
  }
  expect(sockets.size).toBe(1);
  sender.close();
});

it('a second answer of a host is not taken for that to a delivery of another workspace', async () => {
  const used = new Set<Socket | null>();
  receiver.answer((one, response) => {
    const { socket } = response;
    if (one.path === '/first') {
      used.add(socket);
      ok(one, response);
    } else if (used.has(socket)) socket?.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n');
    else response.writeHead(500).end();
  });
  expect(await post('/first')).toEqual(taken);
  await nextIteration();
  expect(await post('/second', { workspaceId: 'wsp_2' })).toMatchObject({ status: 500, isDelivered: false });
  sender.close();
});

it('closing ends idle connections, and makes no delivery in flight fail: the next process makes it again', async () => {
  let closed = 0;
  let answer: (() => void) | undefined;
  receiver.answer((one, response) => {
    response.socket?.once('close', () => (closed += 1));
    if (one.path === '/idle') ok(one, response);
    else answer = () => ok(one, response);
  });
  const slow = post('/slow');
  while (!answer) await nextIteration();
  expect(await post('/idle')).toEqual(taken);
  sender.close();
  while (closed === 0) await nextIteration();
  answer();
  expect(await slow).toEqual(taken);
});
