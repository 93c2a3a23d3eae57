import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createBodyMemory } from './body-memory.ts';
import { receiveBody } from './receive-body.ts';

const memory = createBodyMemory(1_048_576);
const server = createServer();
let socket: Socket;
afterEach(() => {
  socket.destroy();
  server.close();
});

/** The request that these bytes are, handed over as soon as its head is read. */
async function arrival<T>(bytes: string, handle: (request: IncomingMessage) => T): Promise<T> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const handled = new Promise<T>((resolve) => server.once('request', (request) => resolve(handle(request))));
  socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(bytes));
  return handled;
}
const HEAD = 'POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n';

it('leaves no piece to wait in the queue of the request, not even of those that come with the head', async () => {
  const queued: number[] = [];
  const intake = await arrival(`${HEAD}${'1\r\nx\r\n'.repeat(8_000)}0\r\n\r\n`, (request) => {
    process.nextTick(() => queued.push(request.readableLength));
    return receiveBody(request, memory, () => false);
  });
  expect((await intake.receive(10_000)).toString()).toBe('x'.repeat(8_000));
  expect(queued).toEqual([0]);
  // The room doubles, so that it is never more than twice what came.
  expect(memory.held).toBeLessThanOrEqual(16_384);
  intake.release();
  expect(memory.held).toBe(0);
});
