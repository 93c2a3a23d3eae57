import { createServer, constants, type ServerHttp2Stream } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Client, credentials, Metadata, status, type ChannelOptions, type ServiceError } from '@grpc/grpc-js';
import { isUnavailable, neverRan } from '@postroom/errors/unavailable';
import { fromServiceError } from '@postroom/errors/grpc-status';
import { channelOptions } from './channel-options.ts';
import { toGrpcMethod } from './definition.ts';
import { EchoDefinition } from './echo.test-support.ts';
import { sendCall } from './send.ts';

const method = toGrpcMethod(EchoDefinition, EchoDefinition.methods.echo);
let close: (() => void)[] = [];
afterEach(() => {
  for (const step of close) step();
  close = [];
});

/** The error of grpc-js itself for a call to an address, before this library converts it. */
async function failureAt(port: number, options: ChannelOptions): Promise<{ code?: number; details?: string }> {
  const client = new Client(`127.0.0.1:${port}`, credentials.createInsecure(), options);
  close.push(() => client.close());
  const deadline = Date.now() + 10_000;
  return sendCall(client, method, { words: [] }, new Metadata(), deadline, undefined).then(
    () => ({}),
    (error: object) => error,
  );
}

/** A peer that speaks HTTP/2 and ends every call with `end`. */
async function peer(end: (stream: ServerHttp2Stream) => void): Promise<number> {
  const server = createServer();
  server.on('stream', (stream) => {
    // A stream that ends with a code counts as failed at this end, too.
    stream.on('error', () => undefined);
    end(stream);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  close.push(() => server.close());
  return (server.address() as AddressInfo).port;
}

/** With this option grpc-js never retries, so that the test sees the error of the first attempt. */
const plain = { 'grpc.enable_retries': 0 };

// Only these messages distinguish a call that never ran from one that may have. A new grpc-js may change them.
describe('a call that no handler saw is told by the words of grpc-js', () => {
  it.each([
    ['as we connect', channelOptions(EchoDefinition)],
    ['by its own first choice of a peer', plain],
  ])('when there is no connection, %s', async (_name, options) => {
    const error = await failureAt(1, options);
    expect([error.code, error.details]).toEqual([
      status.UNAVAILABLE,
      expect.stringContaining('No connection established'),
    ]);
    expect(neverRan(error)).toBe(true);
    expect(isUnavailable(fromServiceError(error as ServiceError))).toBe(true);
  });

  it('when its peer refused the stream', async () => {
    const port = await peer((stream) => stream.close(constants.NGHTTP2_REFUSED_STREAM));
    const error = await failureAt(port, plain);
    expect([error.code, error.details]).toEqual([status.UNAVAILABLE, 'Stream refused by server']);
    expect(neverRan(error)).toBe(true);
  });

  it.each([
    ['its stream was cut off', constants.NGHTTP2_CANCEL],
    ['its peer broke down', constants.NGHTTP2_INTERNAL_ERROR],
  ])('but not when %s: it may have run', async (_name, code) => {
    const port = await peer((stream) => stream.close(code));
    const error = await failureAt(port, plain);
    expect([neverRan(error), isUnavailable(fromServiceError(error as ServiceError))]).toEqual([false, false]);
  });

  it('nor when a handler itself was unavailable', async () => {
    const port = await peer((stream) =>
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': `${status.UNAVAILABLE}`,
          'grpc-message': 'no',
        },
        { endStream: true },
      ),
    );
    const error = await failureAt(port, plain);
    expect(error).toMatchObject({ code: status.UNAVAILABLE, details: 'no' });
    expect(neverRan(error)).toBe(false);
  });
});
