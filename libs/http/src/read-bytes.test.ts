import { Agent, createServer, request as httpRequest, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import { readBytes } from './read-bytes.ts';

const MOST = 10_000;

describe('the bytes of a body', () => {
  let server: Server;
  let told: string[];
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const port = () => (server.address() as AddressInfo).port;

  beforeAll(async () => {
    told = [];
    server = createServer((request, response) => {
      readBytes(request, MOST).then(
        (bytes) => response.end(String(bytes.length)),
        (error: unknown) => {
          const code = error instanceof ApiError ? error.code : String(error);
          told.push(code);
          response.writeHead(413).end(code);
        },
      );
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => {
    agent.destroy();
    server.close();
  });

  const post = (bytes: number): Promise<{ text: string; port: number | undefined }> =>
    new Promise((resolve, reject) => {
      const settings = { host: '127.0.0.1', port: port(), agent, method: 'POST' };
      const sent = httpRequest(settings, (response) => {
        const { localPort } = response.socket;
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('end', () => resolve({ text, port: localPort }));
      });
      sent.on('error', reject).end('x'.repeat(bytes));
    });

  it.each([0, 1, MOST])('are read where there are %d', async (bytes) => {
    expect((await post(bytes)).text).toBe(String(bytes));
  });

  it.each([MOST + 1, 200_000, 3_000_000])(
    'are too many at %d, and the next request of the same connection is answered',
    async (bytes) => {
      const refused = await post(bytes);
      const next = await post(5);
      expect([refused.text, next.text]).toEqual(['PAYLOAD_TOO_LARGE', '5']);
      expect(next.port).toBe(refused.port);
    },
  );

  it('end too early where the client goes in the middle', async () => {
    told.length = 0;
    const socket = connect(port(), '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf', () => socket.destroy());
    while (told.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(told).toEqual(['REQUEST_ERROR']);
  });
});
