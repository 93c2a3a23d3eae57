import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import { createBytesInFlight } from '@postroom/runtime/bytes-in-flight';
import { eventually } from '../../../../test/engines/eventually.ts';
import { sendWithinMemory } from './within-memory.ts';

const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

/** A server with these answers, and the bytes that they hold. */
async function serving(answer: (response: ServerResponse, held: Parameters<typeof sendWithinMemory>[1]) => unknown) {
  const bytes = createBytesInFlight(1_000);
  let held = 0;
  const memory: typeof bytes = {
    enter: async (weight, owner, signal) => {
      const stay = await bytes.enter(weight, owner, signal);
      held += weight;
      const leave = () => {
        held -= weight;
        stay.leave();
      };
      return { ...stay, leave };
    },
  };
  const server = createServer((_request, response) => void answer(response, { memory, owner: 'wsp_1', weight: 10 }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  open.push(() => {
    socket.destroy();
    server.close();
    server.closeAllConnections();
  });
  socket.on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  return { socket, held: () => held };
}

const LARGE = Buffer.alloc(32 * 1024 * 1024);

it('the memory of an answer is held until the browser has taken it', async () => {
  const { socket, held } = await serving((response, about) =>
    sendWithinMemory(response, about, async () => void response.end(LARGE)),
  );
  socket.pause();
  await eventually(() => expect(held()).toBe(10));
  socket.resume();
  await eventually(() => expect(held()).toBe(0));
});

it('a browser that leaves ends the loading of its answer, and its memory is free', async () => {
  const ended: unknown[] = [];
  const { socket, held } = await serving((response, about) =>
    sendWithinMemory(response, about, (signal) => {
      socket.destroy();
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    }).then(
      () => ended.push('ended'),
      (error: unknown) => ended.push(error),
    ),
  );
  await eventually(() => expect(ended).toEqual(['ended']));
  expect(held()).toBe(0);
});

it('a browser that takes nothing loses its answer, and its memory is free', async () => {
  const ended: string[] = [];
  const { socket, held } = await serving((response, about) =>
    sendWithinMemory(response, { ...about, idleMs: 50 }, async () => void response.end(LARGE)).then(() =>
      ended.push('ended'),
    ),
  );
  socket.pause();
  await eventually(() => expect(ended).toEqual(['ended']));
  expect(held()).toBe(0);
});

it('a failure of the loading is a failure of the answer', async () => {
  const failures: unknown[] = [];
  const { held } = await serving((response, about) =>
    sendWithinMemory(response, about, () => Promise.reject(new Error('gone'))).catch((error: unknown) => {
      failures.push((error as Error).message);
      response.end();
    }),
  );
  await eventually(() => expect(failures).toEqual(['gone']));
  expect(held()).toBe(0);
});
