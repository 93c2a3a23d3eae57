import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectTcp, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { GrpcTls } from '@postroom/runtime/service';
import { connect } from './connect.ts';
import { withToken } from './definition.ts';
import { EchoDefinition, echo, testContext, type TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';
import { asToken } from './token.ts';

const NAME = '/CN=postroom';
const KEY = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
const HALF_OPEN = 200;

let folder: string;
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

function makeAuthority(name: string): string {
  const files = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
  openssl('req', '-x509', ...KEY, ...files, '-days', '2', '-subj', NAME);
  return name;
}

function makeCertificate(authority: string, days = 2): GrpcTls {
  openssl('req', ...KEY, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=service');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1');
  const signed = ['-CA', `${authority}.pem`, '-CAkey', `${authority}.key`, '-CAcreateserial', '-extfile', 'names'];
  openssl('x509', '-req', '-in', 'own.csr', ...signed, '-out', 'own.pem', '-days', String(days));
  return { cert: read('own.pem'), key: read('own.key'), ca: read(`${authority}.pem`) };
}

describe('a port with a token behind mutual TLS, as the admin port', () => {
  let ours: GrpcTls;
  let port: number;
  const contexts: TestContext[] = [];

  const opened = (grpcTls: GrpcTls | undefined) => {
    const context = { ...testContext(), grpcTls };
    contexts.push(context);
    return context;
  };
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-tls-'));
    ours = makeCertificate(makeAuthority('ours'));
    const services = [withToken(echo(), asToken('operators'))];
    ({ port } = await serve({ address: '127.0.0.1:0', services, context: opened(ours) }));
  });
  afterAll(async () => {
    for (const context of contexts.splice(0).reverse()) await context.lifecycle.close();
    rmSync(folder, { recursive: true });
  });

  const call = (grpcTls: GrpcTls | undefined, token = 'operators') =>
    connect(EchoDefinition, `ipv4:127.0.0.1:${port}`, { context: opened(grpcTls), token }).echo(
      { words: ['hello'] },
      { deadline: Date.now() + 5_000 },
    );
  const hello = { words: ['hello'] };

  it('answers a caller with certificate and token', async () => expect(await call(ours)).toEqual(hello));

  it('INVALID_API_KEY for a certificate without the token', async () => {
    await expect(call(ours, 'guess')).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
    await expect(call(ours, '')).rejects.toMatchObject({ code: 'INVALID_API_KEY' });
  });

  it.each<[string, () => GrpcTls | undefined]>([
    ['no certificate', () => undefined],
    ['a certificate of another authority with the same name', () => makeCertificate(makeAuthority('namesake'))],
    ['an expired certificate', () => makeCertificate('ours', -1)],
  ])('is closed to the right token with %s', async (_what, make) => {
    const theirs = make();
    await expect(call(theirs && { ...theirs, ca: ours.ca })).rejects.toMatchObject({
      code: expect.not.stringMatching('INVALID_API_KEY'),
    });
    expect(await call(ours)).toEqual(hello);
  });

  const handshake = async (options: ConnectionOptions) => {
    const socket = connectTls({ port, host: '127.0.0.1', ...ours, ALPNProtocols: ['h2'], ...options });
    socket.on('error', () => undefined);
    const over = new Promise((resolve) => socket.once('close', () => resolve('closed')));
    // In TLS 1.3 the server refuses a client only after the client has begun.
    const spoken = new Promise((resolve) => socket.once('data', () => resolve(socket.getProtocol())));
    const outcome = await Promise.race([over, spoken]);
    socket.destroy();
    return outcome;
  };

  it('speaks TLS 1.2 and 1.3 and nothing older', async () => {
    const old = { minVersion: 'TLSv1', ciphers: 'DEFAULT@SECLEVEL=0' } as const;
    expect(await handshake({ minVersion: 'TLSv1.3' })).toBe('TLSv1.3');
    expect(await handshake({ ...old, maxVersion: 'TLSv1.2' })).toBe('TLSv1.2');
    expect(await handshake({ ...old, maxVersion: 'TLSv1.1' })).toBe('closed');
  });

  it(`answers beside ${HALF_OPEN} connections that begin no handshake, and those that send something else`, async () => {
    const idle: Socket[] = [];
    for (let n = 0; n < HALF_OPEN; n += 1) {
      const socket = connectTcp(port, '127.0.0.1').on('error', () => undefined);
      await once(socket, 'connect');
      idle.push(socket);
      if (n % 4 === 1) socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
      if (n % 4 === 2) socket.write(Buffer.from([0x16, 0x03, 0x01, 0xff, 0xff, 0x01]));
      if (n % 4 === 3) socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    }
    expect(await call(ours)).toEqual(hello);
    for (const socket of idle) socket.destroy();
    expect(await call(ours)).toEqual(hello);
  });
});
