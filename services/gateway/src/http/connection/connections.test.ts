import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from '@jest/globals';
import { createConnections } from './connections.ts';

class FakeSocket extends EventEmitter {
  writableLength = 0;
  bytesWritten = 0;
  isGone = false;
  destroy() {
    this.isGone = true;
    this.emit('close');
  }
}
const sockets = (count: number) => Array.from({ length: count }, () => new FakeSocket());
const open = (bounds: Partial<Parameters<typeof createConnections>[0]>, all: FakeSocket[]) => {
  const connections = createConnections({ most: 100, mostBuffered: 1_000, ...bounds });
  for (const socket of all) connections.add(as(socket));
  return connections;
};
const as = (socket: FakeSocket | undefined) => socket as unknown as Socket;
const gone = (all: FakeSocket[]) => all.map(({ isGone }) => isGone);

it('makes room by ending the one that has been there longest without a key', () => {
  const all = sockets(5);
  const connections = open({ most: 3 }, all.slice(0, 3));
  connections.markAuthenticated(as(all[0]));
  connections.add(as(all[3]));
  connections.add(as(all[4]));
  expect(gone(all)).toEqual([false, true, true, false, false]);
  expect(connections.size).toBe(3);
});

it('ends one with a key only where no other is left, and then the one that has been idle longest', () => {
  const all = sockets(4);
  const connections = open({ most: 3 }, all.slice(0, 3));
  for (const at of [0, 1, 2, 0]) connections.markAuthenticated(as(all[at]));
  connections.add(as(all[3]));
  expect(gone(all)).toEqual([false, true, false, false]);
});

it('has room again for each that goes by itself, and does not take back one that is gone', () => {
  const all = sockets(3);
  const connections = open({ most: 2 }, all.slice(0, 2));
  all[0]?.destroy();
  connections.markAuthenticated(as(all[0]));
  connections.add(as(all[2]));
  expect(gone(all)).toEqual([true, false, false]);
  expect(connections.size).toBe(2);
});

it('ends a connection whose caller has not taken its answer for a minute, and none whose caller has', () => {
  const [slow, quick] = sockets(2) as [FakeSocket, FakeSocket];
  const connections = open({}, [slow, quick]);
  slow.writableLength = quick.writableLength = 10;
  connections.endSlowCallers(0);
  quick.writableLength = 0;
  connections.endSlowCallers(30_000);
  quick.writableLength = 10;
  connections.endSlowCallers(60_000);
  expect(gone([slow, quick])).toEqual([false, false]);
  connections.endSlowCallers(61_000);
  expect(gone([slow, quick])).toEqual([true, false]);
});

it('ends those who have waited longest when all together have too much to take', () => {
  const all = sockets(4);
  const connections = open({}, all);
  for (const [at, socket] of all.entries()) {
    socket.writableLength = 300;
    if (at === 1) connections.markAuthenticated(as(socket));
    if (at < 3) connections.endSlowCallers(at);
  }
  connections.endSlowCallers(3);
  expect(gone(all)).toEqual([true, false, false, false]);
});

it('keeps a connection whose caller takes one answer after another, though each time something is left to take', () => {
  const [busy, stuck] = sockets(2) as [FakeSocket, FakeSocket];
  const connections = open({}, [busy, stuck]);
  for (const socket of [busy, stuck]) Object.assign(socket, { writableLength: 10, bytesWritten: 10 });
  for (let now = 0; now <= 120_000; now += 10_000) {
    connections.endSlowCallers(now);
    busy.bytesWritten += 10;
  }
  expect(gone([busy, stuck])).toEqual([false, true]);
});

it('ends a connection for what it holds of requests that wait, when all together hold too much', () => {
  const [one, other] = sockets(2) as [FakeSocket, FakeSocket];
  const connections = createConnections({ most: 100, mostBuffered: 1_000 });
  connections.add(as(one), () => 600);
  connections.add(as(other), () => 600);
  connections.endSlowCallers(0);
  expect(gone([one, other])).toEqual([true, false]);
});
