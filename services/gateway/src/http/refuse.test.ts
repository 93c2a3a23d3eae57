import { Duplex } from 'node:stream';
import { expect, it } from '@jest/globals';
import { createServiceContext } from '@postroom/runtime/service-context';
import { createBareRefusals } from './refuse.ts';

it('408 QUERY_TIMEOUT in the frame of every answer for a head that comes too late, logged and counted', () => {
  const context = createServiceContext({ name: 'gateway', logLevel: 'silent' });
  const observed: unknown[] = [];
  const { unreadable } = createBareRefusals(context, (what, status) => void observed.push({ ...what, status }));
  let written = '';
  const socket = new Duplex({
    read: () => {},
    write: (piece, _encoding, done) => ((written += String(piece)), done()),
  });
  unreadable(Object.assign(new Error('late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), socket);
  socket.destroy();
  const [head = '', body = ''] = written.split('\r\n\r\n');
  expect(head.split('\r\n')[0]).toBe('HTTP/1.1 408 Request Timeout');
  expect(head).toMatch(/X-Request-Id: req_\w+\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\n/);
  expect(JSON.parse(body)).toMatchObject({ code: 'QUERY_TIMEOUT' });
  const requestId = /X-Request-Id: (\S+)/.exec(head)?.[1];
  expect(observed).toEqual([{ route: 'unreadable', method: 'other', requestId, status: 408 }]);
});
