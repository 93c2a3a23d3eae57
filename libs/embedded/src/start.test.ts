import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from './start.ts';

describe('startEmbeddedMongo', () => {
  let server: EmbeddedMongo;
  beforeAll(async () => {
    server = await startEmbeddedMongo();
  });
  afterAll(async () => {
    await server.close();
  });

  it('listens on loopback as a replica set of one', async () => {
    expect(server.uri).toBe(`mongodb://127.0.0.1:${server.port}/postroom?replicaSet=postroom`);
    const socket = connect(server.port, '127.0.0.1');
    await new Promise<void>((resolve) => {
      socket.once('connect', () => resolve());
    });
    socket.destroy();
  });

  it('hangs up on what is not the MongoDB protocol', async () => {
    const socket = connect(server.port, '127.0.0.1');
    const closed = new Promise<void>((resolve) => {
      socket.once('close', () => resolve());
    });
    socket.write('GET / HTTP/1.1\r\n\r\n');
    await closed;
  });
});
