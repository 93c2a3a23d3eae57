import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { startStack } from './stack.ts';

const connections = () => process.getActiveResourcesInfo().filter((kind) => kind === 'TCPSocketWrap').length;

it('a stack that does not start fails with the cause and leaves nothing open', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await once(taken, 'listening');
  const before = connections();
  const { port } = taken.address() as AddressInfo;
  await expect(startStack({ httpPort: port })).rejects.toThrow(`EADDRINUSE: address already in use 127.0.0.1:${port}`);
  // A socket that was closed is gone with the next turn of the event loop.
  await new Promise((resolve) => setImmediate(resolve));
  expect(connections()).toBeLessThanOrEqual(before);
  taken.close();
});

it('a process of tests that something keeps alive ends red and names what does', async () => {
  const module = JSON.stringify(join(__dirname, 'end-within.js'));
  const child = spawn(process.execPath, [
    '-e',
    `require('net').createServer().listen(0); require(${module}).endWithin(1)`,
  ]);
  let said = '';
  child.stderr.on('data', (text) => (said += text));
  expect((await once(child, 'close'))[0]).toBe(1);
  expect(said).toContain('TCPServerWrap');
});
