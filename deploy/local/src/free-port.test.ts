import { execFile } from 'node:child_process';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { freePort } from './free-port.ts';

const ask = (asked: string) => `
  const { freePort, keptPort, usualPort } = require(${JSON.stringify(join(__dirname, 'free-port.ts'))});
  ${asked}.then((ports) => console.log(JSON.stringify(ports)));
  process.stdin.once('data', () => process.exit());
`;
const MANY = 'Promise.all(Array.from({ length: 120 }, () => freePort(0)))';

/** The ports that another process has taken, which lives until it is told to end. */
async function otherProcess(asked = MANY): Promise<{ ports: number[]; end(): Promise<unknown> }> {
  const running = promisify(execFile)(process.execPath, ['-r', '@postroom/from-source/register', '-e', ask(asked)]);
  const { stdout, stdin } = running.child;
  const told = await Promise.race([running.then(() => '[]'), new Promise((resolve) => stdout?.once('data', resolve))]);
  return { ports: JSON.parse(String(told)) as number[], end: () => (stdin?.write('end\n'), running) };
}

it('gives no port to two processes, although none of them listens yet', async () => {
  const others = await Promise.all([otherProcess(), otherProcess(), otherProcess()]);
  const own = await Promise.all(Array.from({ length: 120 }, () => freePort(0)));
  const all = [own, ...others.map(({ ports }) => ports)].map((ports) => new Set(ports));
  expect(new Set(all.flatMap((ports) => [...ports])).size).toBe(all.reduce((sum, { size }) => sum + size, 0));
  await Promise.all(others.map(({ end }) => end()));
});

it('gives the wished port unless somebody listens there', async () => {
  const wished = await freePort(0);
  expect(await freePort(wished)).toBe(wished);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(wished, '127.0.0.1', resolve));
  expect(await freePort(wished)).not.toBe(wished);
  await new Promise((resolve) => server.close(resolve));
});

it('gives a port that two remember to one of them, although none of them listens yet', async () => {
  const known = await freePort(0);
  const asked = `keptPort(${known}).then((port) => [port])`;
  const started = await Promise.all([
    otherProcess(asked),
    otherProcess(asked),
    otherProcess(`usualPort(${known}).then((port) => [port])`),
  ]);
  const ports = started.flatMap((one) => one.ports);
  await Promise.all(started.map(({ end }) => end()));
  expect([new Set(ports).size, ports.includes(known)]).toEqual([3, true]);
});

it('gives the usual port to one of those that start at once', async () => {
  const usual = await freePort(0);
  const started = await Promise.all([1, 2, 3].map(() => otherProcess(`usualPort(${usual}).then((port) => [port])`)));
  const ports = started.flatMap((one) => one.ports);
  await Promise.all(started.map(({ end }) => end()));
  expect(new Set(ports).size).toBe(3);
});
