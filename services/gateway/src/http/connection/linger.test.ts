import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { linger, stopReading } from './linger.ts';

let close = () => {};
afterEach(() => close());

/** Both ends of a connection, with a parser on the server's. */
async function pair(): Promise<{ far: Socket; near: Socket; parsed: string[] }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve));
  const near = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const far = await accepted;
  const parsed: string[] = [];
  far.on('data', (bytes) => parsed.push(bytes.toString())).on('error', () => undefined);
  near.on('error', () => undefined);
  close = () => {
    near.destroy();
    far.destroy();
    server.close();
  };
  return { far, near, parsed };
}

it('bytes after the answer are read and dropped, not parsed, until the caller closes', async () => {
  const { far, near, parsed } = await pair();
  const closed = new Promise<string>((resolve) => linger(far, () => resolve('closed')));
  let sent = 0;
  for (let piece = 0; piece < 20; piece++) {
    sent += 65_536;
    await new Promise((resolve) => near.write(Buffer.alloc(65_536), resolve));
  }
  near.end();
  expect(await closed).toBe('closed');
  expect([far.bytesRead, parsed]).toEqual([sent, []]);
});

it('bytes that a caller sends on before its answer are left unread', async () => {
  const { far, near, parsed } = await pair();
  stopReading(far);
  near.write(Buffer.alloc(67_108_864));
  await new Promise((resolve) => setTimeout(resolve, 100));
  expect(far.bytesRead).toBeLessThan(1_048_576);
  expect(parsed).toEqual([]);
});
