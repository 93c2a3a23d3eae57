import { createSecureContext } from 'node:tls';
import { InsideAddress } from '@postroom/public-http/resolve';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { answerWith, openReceiver } from '../../../../test/support/webhook-receiver.ts';
import { createFetchDocument } from './client-documents.ts';

const HOST = 'client.example.com';
const MOST_BYTES = 16_384;

let server: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  server = await openReceiver([HOST]);
});
afterAll(() => server.close());

/** The host stands on loopback, as if that were public; every other one is inside. */
const fetchDocument = (url: string) =>
  createFetchDocument({
    resolve: async (host) => {
      if (host !== HOST) throw new InsideAddress();
      return { addresses: ['127.0.0.1'], port: server.port };
    },
    isRouted: () => false,
    secureContext: createSecureContext({ ca: [server.ca] }),
  })(url);

it('reads a document of at most 16 KB, and no longer one', async () => {
  for (const [bytes, isRead] of [
    [MOST_BYTES, true],
    [MOST_BYTES + 1, false],
  ] as const) {
    server.answer((_received, response) => void response.end('x'.repeat(bytes)));
    const length = fetchDocument(`https://${HOST}/client.json`).then(async (answer) => (await answer.text()).length);
    await (isRead ? expect(length).resolves.toBe(bytes) : expect(length).rejects.toThrow('too long'));
  }
});

it('refuses an answer behind too many interim responses', async () => {
  server.answer(({ path }, response) => {
    response.socket?.write('HTTP/1.1 103 Early Hints\r\n\r\n'.repeat(path === '/few' ? 3 : 1_000));
    response.end('{}');
  });
  expect((await fetchDocument(`https://${HOST}/few`)).status).toBe(200);
  await expect(fetchDocument(`https://${HOST}/many`)).rejects.toThrow('too many interim responses');
});

it('follows no redirect, and names the host and the path that were asked for', async () => {
  server.received.length = 0;
  server.answer(answerWith(302, { location: 'https://inside.example.com/' }));
  const { status, headers } = await fetchDocument(`https://${HOST}/client.json?v=1`);
  expect([status, headers.get('location')]).toEqual([302, null]);
  expect(server.received.map(({ host, path }) => [host, path])).toEqual([[HOST, '/client.json?v=1']]);
});

it.each([
  ['an inside address', 'https://inside.example.com/client.json'],
  ['a literal inside address', 'https://127.0.0.1/client.json'],
  ['no TLS', `http://${HOST}/client.json`],
  ['another port', `https://${HOST}:8443/client.json`],
  ['a password in it', `https://user:pass@${HOST}/client.json`],
])('asks nobody for a URL with %s', async (_what, url) => {
  server.received.length = 0;
  await expect(fetchDocument(url)).rejects.toThrow();
  expect(server.received).toEqual([]);
});

it('asks one host for two documents at a time, lets eight wait, and refuses more, whatever another host does', async () => {
  const asked: string[] = [];
  const ends: (() => void)[] = [];
  const fetchSlowly = createFetchDocument({
    resolve: (host) => {
      asked.push(host);
      return new Promise((_resolve, reject) => void ends.push(() => reject(new Error('no such host'))));
    },
    isRouted: () => false,
  });
  const refusals: string[] = [];
  const ask = (url: string) => void fetchSlowly(url).catch(({ message }: Error) => refusals.push(message));
  for (let n = 0; n < 20; n++) ask(`https://slow.example.com/${n}`);
  ask('https://other.example.com/client.json');
  const next = () => new Promise((resolve) => setImmediate(resolve));
  await next();
  expect(asked).toEqual(['slow.example.com', 'slow.example.com', 'other.example.com']);
  expect(refusals).toEqual(Array.from({ length: 10 }, () => 'too many documents of this host are asked for'));
  // Those that waited begin when others end.
  for (; ends.length > 0; await next()) for (const end of ends.splice(0)) end();
  expect([asked.length, refusals.length]).toEqual([11, 21]);
});
