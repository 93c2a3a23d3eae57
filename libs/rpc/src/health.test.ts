import { Client, credentials } from '@grpc/grpc-js';
import type { MethodDefinition, ServiceError } from '@grpc/grpc-js';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { service } from 'grpc-health-check';
import { echo, testContext } from './echo.test-support.ts';
import type { TestContext } from './echo.test-support.ts';
import { serve } from './serve.ts';

type Method = MethodDefinition<{ service: string }, { status: string }>;

describe('gRPC health, asked by the standard client', () => {
  let context: TestContext;
  let probe: Client;
  beforeEach(async () => {
    context = testContext();
    const { port } = await serve({ address: '127.0.0.1:0', services: [echo()], context });
    probe = new Client(`127.0.0.1:${port}`, credentials.createInsecure());
  });
  afterEach(async () => {
    probe.close();
    await context.lifecycle.close();
  });

  const check = (name: string) =>
    new Promise<string>((resolve) => {
      const { path, requestSerialize, responseDeserialize } = service.Check as unknown as Method;
      probe.makeUnaryRequest(path, requestSerialize, responseDeserialize, { service: name }, (error, answer) => {
        resolve(error ? `code ${(error as ServiceError).code}` : (answer?.status ?? ''));
      });
    });
  const all = async () => Promise.all(['', 'readiness', 'liveness'].map(check));

  it('serves under all three names', async () => {
    expect(await all()).toEqual(['SERVING', 'SERVING', 'SERVING']);
  });

  it('is not ready but alive while an engine is down, and ready once it is back', async () => {
    let up = false;
    context.readiness.add('database', () => {
      if (!up) throw new Error('down');
    });
    expect(await all()).toEqual(['NOT_SERVING', 'NOT_SERVING', 'SERVING']);
    up = true;
    expect(await all()).toEqual(['SERVING', 'SERVING', 'SERVING']);
  });

  it('is not ready but alive while it drains', async () => {
    context.readiness.drain();
    expect(await all()).toEqual(['NOT_SERVING', 'NOT_SERVING', 'SERVING']);
  });

  it('does not know other names', async () => {
    expect(await check('postroom.v1.Nothing')).toBe('code 5');
  });

  it('tells a watcher when it drains', async () => {
    const { path, requestSerialize, responseDeserialize } = service.Watch as unknown as Method;
    const stream = probe.makeServerStreamRequest(path, requestSerialize, responseDeserialize, { service: 'readiness' });
    stream.on('error', () => {});
    const seen: string[] = [];
    const drained = new Promise<void>((resolve) => {
      stream.on('data', ({ status }: { status: string }) => {
        seen.push(status);
        if (seen.length === 1) context.readiness.drain();
        else resolve();
      });
    });
    await drained;
    stream.cancel();
    expect(seen).toEqual(['SERVING', 'NOT_SERVING']);
  });
});
