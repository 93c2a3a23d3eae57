import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { nothingChanges } from '@postroom/runtime/variable-changes';
import { seenMail } from '../mail/seen-mail.test-support.ts';
import { ModelUnavailable } from './availability.ts';
import { NoAnswer } from './failures.ts';
import { openAiModel } from './openai-model.ts';

let server: Server;
let urls: (string | undefined)[];
let answer: RequestListener;
beforeAll(async () => {
  server = createServer((request, response) => {
    urls.push(request.url);
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
beforeEach(() => void (urls = []));

const JSON_TYPE = { 'content-type': 'application/json' };
const refuse: RequestListener = (_request, response) => void response.writeHead(400, JSON_TYPE).end('{}');
const page: RequestListener = (_request, response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Sign in</title>');
const understand: RequestListener = (_request, response) =>
  void response.writeHead(200, JSON_TYPE).end(JSON.stringify({ choices: [{ message: { content: '{}' } }] }));
/** To every question except the control question. */
const forEmails =
  (listener: RequestListener): RequestListener =>
  async (request, response) =>
    ((await text(request)).includes('air_control') ? understand : listener)(request, response);

const failure = (path = '/v1'): Promise<unknown> => {
  const { port } = server.address() as AddressInfo;
  const settings = { baseUrl: `http://127.0.0.1:${port}${path}`, apiKey: 'key', model: 'small' };
  const deps = { clock: manualClock(), log: silentLog, metrics: createMetrics('test'), changes: nothingChanges };
  const question = { rules: [{ ruleId: 'air_1', condition: 'is an invoice' }], mail: seenMail({}) };
  return openAiModel(settings, deps)
    .judge(question, new AbortController().signal)
    .then(
      () => undefined,
      (error: unknown) => error,
    );
};

it.each([
  ['refuses every question in every format', refuse],
  ['is a web page', page],
])('emails wait for an endpoint that %s', async (_what, listener) => {
  answer = listener;
  expect(await failure()).toBeInstanceOf(ModelUnavailable);
});

it('one email that is answered by a web page fails alone', async () => {
  answer = forEmails(page);
  expect(await failure()).toBeInstanceOf(NoAnswer);
});

it.each([
  ['/v1', '/v1/chat/completions'],
  ['/v1/', '/v1/chat/completions'],
  ['/v1?version=2', '/v1/chat/completions?version=2'],
])('an address that ends with %s is asked at %s', async (path, url) => {
  answer = understand;
  expect(await failure(path)).toBeUndefined();
  expect(new Set(urls)).toEqual(new Set([url]));
});
