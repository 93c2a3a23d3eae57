import { createServer } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createPipelining } from './pipelining.ts';

type Listener = Parameters<typeof createPipelining>[0];

let close = () => {};
afterEach(() => close());

/** A server that hands requests to the listener one at a time, and a connection to it. */
async function open(listener: Listener) {
  const pipelining = createPipelining(listener);
  const server = createServer(pipelining.accept);
  Object.assign(server, { httpAllowHalfOpen: true });
  const attaching = new Promise<{ attached: Socket; heldBytes: () => number }>((resolve) =>
    server.on('connection', (socket: Socket) => resolve({ attached: socket, heldBytes: pipelining.attach(socket) })),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  let heard = '';
  socket.setNoDelay().on('data', (bytes) => (heard += bytes.toString('latin1')));
  close = () => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  };
  return { server, socket, heard: () => heard, ...(await attaching) };
}

const until = async (isSo: () => boolean) => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};
const get = (path: string) => `GET /${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
const pathsIn = (heard: string) => [...heard.matchAll(/\[(\S*?)\]/g)].map(([, path]) => path);

it('lets the event loop go on between two requests of one connection, also when each is answered at once', async () => {
  let tick = 0;
  let isOver = false;
  const count = (): void => {
    tick++;
    if (!isOver) setImmediate(count);
  };
  count();
  const ticks: number[] = [];
  const { socket, heard } = await open((request, response) => {
    ticks.push(tick);
    response.end(`[${request.url}]`);
  });
  socket.write(get('a').repeat(500));
  await until(() => pathsIn(heard()).length === 500);
  isOver = true;
  expect(new Set(ticks).size).toBe(500);
});

it('holds at most one read of what a caller sends behind a request that is not answered yet', async () => {
  let finish = () => {};
  const begun: (string | undefined)[] = [];
  const { socket, heldBytes } = await open((request, response) => {
    begun.push(request.url);
    finish = () => response.end();
  });
  socket.write(get('a') + get('b').repeat(100_000));
  await until(() => heldBytes() > 0);
  for (let tick = 0; tick < 50; tick++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['/a']);
  expect(heldBytes()).toBeLessThanOrEqual(65_536);
  finish();
  await until(() => begun.length === 2);
});

it('begins nothing more once a caller is gone', async () => {
  const begun: (string | undefined)[] = [];
  const { socket } = await open((request, response) => {
    begun.push(request.url);
    response.socket?.destroy();
  });
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.on('error', () => undefined).write(get('a') + get('b'));
  await closed;
  for (let tick = 0; tick < 5; tick++) await new Promise((resolve) => setImmediate(resolve));
  expect(begun).toEqual(['/a']);
});

it('reads nothing more behind a CONNECT that destroys its connection', async () => {
  const { socket, attached, server } = await open((_request, response) => response.end());
  server.on('connect', (_request, ended: Socket) => ended.destroy());
  const [take] = attached.listeners('data') as [(bytes: Buffer) => void];
  expect(() => take(Buffer.from(`CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n${get('a')}`))).not.toThrow();
  socket.destroy();
});

it('answers all that waits to a caller who has closed its side', async () => {
  const { socket, heard } = await open((request, response) => {
    setTimeout(() => response.end(`[${request.url}]`), 20);
  });
  const ended = new Promise((resolve) => socket.once('end', resolve));
  socket.end(get('a') + get('b') + get('c'));
  await ended;
  expect(pathsIn(heard())).toEqual(['/a', '/b', '/c']);
});

it('answers every request with its own body and in order, however they are framed and wherever they are cut', async () => {
  const body = fc.oneof(
    fc.constant(''),
    fc.string({ unit: fc.constantFrom('x', '\r', '\n', 'G') }),
    fc.constant('y'.repeat(9_000)),
  );
  const request = fc.record({ body, isChunked: fc.boolean() });
  const bytesOf = ({ body: content, isChunked }: { body: string; isChunked: boolean }, at: number) => {
    if (isChunked && content) {
      const length = content.length.toString(16);
      return `POST /${at} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${length}\r\n${content}\r\n0\r\n\r\n`;
    }
    return `POST /${at} HTTP/1.1\r\nHost: x\r\nContent-Length: ${content.length}\r\n\r\n${content}`;
  };
  const cuts = fc.array(fc.nat(100_000), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 12 }), cuts, async (requests, at) => {
      const { socket, heard } = await open((incoming, response) => {
        const pieces: Buffer[] = [];
        incoming.on('data', (piece: Buffer) => pieces.push(piece));
        incoming.on('end', () => {
          const length = Buffer.concat(pieces).length;
          setImmediate(() => response.end(`[${incoming.url}:${length}]`));
        });
      });
      const bytes = requests.map(bytesOf).join('');
      const ends = [...new Set(at.map((one) => one % bytes.length))].toSorted((a, b) => a - b);
      for (const [n, end] of [...ends, bytes.length].entries()) {
        socket.write(bytes.slice(n === 0 ? 0 : ends[n - 1], end));
        await new Promise((resolve) => setImmediate(resolve));
      }
      await until(() => pathsIn(heard()).length === requests.length);
      expect(pathsIn(heard())).toEqual(requests.map((one, n) => `/${n}:${one.body.length}`));
      close();
    }),
    { numRuns: 60 },
  );
});
