import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { changesByHand } from '@postroom/runtime/changes-by-hand.test-support';
import { changingTls } from '@postroom/runtime/grpc-tls';
import type { GrpcTls } from '@postroom/runtime/service';
import { connect } from './connect.ts';
import { EchoDefinition, echo, testContext, type TestContext } from './echo.test-support.ts';
import { openOperatorPort } from './operator-port.ts';
import { serve } from './serve.ts';

let folder: string;
const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });

/** A certificate for the loopback address, and the authority that signed it. */
function makeCertificate(authority: string): GrpcTls {
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  openssl('req', '-x509', ...key, '-keyout', 'ca.key', '-out', 'ca.pem', '-days', '2', '-subj', `/CN=${authority}`);
  openssl('req', ...key, '-keyout', 'own.key', '-out', 'own.csr', '-subj', '/CN=service');
  writeFileSync(join(folder, 'names'), 'subjectAltName=IP:127.0.0.1');
  const signed = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-in', 'own.csr', ...signed, '-out', 'own.pem');
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { cert: read('own.pem'), key: read('own.key'), ca: read('ca.pem') };
}

describe('mutual TLS', () => {
  let ours: GrpcTls;
  let theirs: GrpcTls;
  let contexts: TestContext[] = [];
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'postroom-tls-'));
    [ours, theirs] = [makeCertificate('ours'), makeCertificate('theirs')];
  });
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(async () => {
    for (const context of contexts.splice(0).reverse()) await context.lifecycle.close();
  });

  function opened(grpcTls: GrpcTls | undefined): TestContext {
    const context = { ...testContext(), grpcTls };
    contexts.push(context);
    return context;
  }
  async function open(grpcTls: GrpcTls | undefined) {
    const context = opened(grpcTls);
    return (await serve({ address: '127.0.0.1:0', services: [echo()], context })).port;
  }
  const call = (port: number, grpcTls: GrpcTls | undefined) => {
    const client = connect(EchoDefinition, `ipv4:127.0.0.1:${port}`, { context: opened(grpcTls) });
    return client.echo({ words: ['hello'] }, { deadline: Date.now() + 2_000 });
  };

  it('carries the calls of those whom the same authority has signed', async () => {
    expect(await call(await open(ours), ours)).toEqual({ words: ['hello'] });
  });

  it('is not spoken with a stranger: neither one without a certificate nor one of another authority', async () => {
    const port = await open(ours);
    await expect(call(port, undefined)).rejects.toThrow();
    await expect(call(port, theirs)).rejects.toThrow();
    // It knows our authority, and shows a certificate of its own.
    await expect(call(port, { ...theirs, ca: ours.ca })).rejects.toThrow();
  });

  it('is spoken at the port of operators too, where a certificate is no token', async () => {
    const settings = { HOST: '127.0.0.1', OPERATOR_PORT: 0, OPERATOR_TOKEN: 'of-operators' };
    const port = (await openOperatorPort(settings, echo(), opened(ours))) ?? 0;
    const ask = (grpcTls: GrpcTls | undefined, token: string | undefined) =>
      connect(EchoDefinition, `ipv4:127.0.0.1:${port}`, { context: opened(grpcTls), token }).echo(
        { words: ['hello'] },
        { deadline: Date.now() + 2_000 },
      );
    expect(await ask(ours, 'of-operators')).toEqual({ words: ['hello'] });
    await expect(ask(ours, 'guessed')).rejects.toThrow('token');
    await expect(ask(ours, undefined)).rejects.toThrow('token');
    for (const stranger of [undefined, theirs, { ...theirs, ca: ours.ca }])
      await expect(ask(stranger, 'of-operators')).rejects.not.toThrow('token');
  });

  it('is spoken with new certificates once their files have changed, on both ends, and no more with the old ones', async () => {
    const hand = changesByHand();
    const grpcTls = changingTls(ours, hand.changes);
    const port = await open(grpcTls);
    const before = connect(EchoDefinition, `ipv4:127.0.0.1:${port}`, { context: opened(grpcTls) });
    expect(await before.echo({ words: ['hello'] }, {})).toEqual({ words: ['hello'] });
    await expect(hand.say('GRPC_TLS_CERT', theirs.cert)).rejects.toThrow('not that of the certificate');
    expect(await call(port, ours)).toEqual({ words: ['hello'] });
    await hand.say('GRPC_TLS_KEY', theirs.key);
    await hand.say('GRPC_TLS_CA', theirs.ca);
    // A connection that stands goes on; each new one is made by the new certificates.
    expect(await before.echo({ words: ['still'] }, {})).toEqual({ words: ['still'] });
    expect(await call(port, theirs)).toEqual({ words: ['hello'] });
    expect(await call(port, grpcTls)).toEqual({ words: ['hello'] });
    await expect(call(port, ours)).rejects.toThrow();
  });

  it('is not given up for a server in the clear', async () => {
    await expect(call(await open(undefined), ours)).rejects.toThrow();
  });
});
