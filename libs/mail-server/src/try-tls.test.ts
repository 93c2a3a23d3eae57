import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { tryTls } from './try-tls.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

async function listening(greeting: string): Promise<number> {
  server = createServer((socket) => socket.on('error', () => undefined).end(greeting)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

describe('a server that is tried', () => {
  it('and greets in the clear begins TLS later, if at all', async () => {
    const port = await listening('* OK ready\r\n');
    expect(await tryTls(`127.0.0.1:${port}`, undefined, 'imap')).toEqual({ address: `127.0.0.1:${port}` });
    expect(await tryTls(`imaps://127.0.0.1:${port}`, undefined, 'imap')).toMatchObject({ fault: 'no_tls' });
  });

  it('may not be there, or its name may not', async () => {
    const port = await listening('');
    server?.close();
    expect(await tryTls(`127.0.0.1:${port}`, undefined, 'smtp')).toMatchObject({ fault: 'unreachable' });
    expect(await tryTls('nowhere.invalid:993', undefined, 'imap')).toMatchObject({ fault: 'host_not_found' });
  });

  it('is not tried where its address says that it begins in the clear', async () => {
    expect(await tryTls('imap://nowhere.invalid:143', undefined, 'imap')).toEqual({
      address: 'imap://nowhere.invalid:143',
    });
  });
});
