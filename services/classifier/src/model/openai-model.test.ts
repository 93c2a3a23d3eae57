import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { manualClock, type ManualClock } from '@postroom/runtime/clock';
import { silentLog } from '@postroom/runtime/log';
import { createMetrics } from '@postroom/runtime/metrics';
import { nothingChanges, type UseNewText } from '@postroom/runtime/variable-changes';
import { faultsOfRequest } from '../../../../test/support/chat-request.ts';
import { seenMail } from '../mail/seen-mail.test-support.ts';
import { ModelUnavailable } from './availability.ts';
import type { Model, Question } from './model.ts';
import { openAiModel } from './openai-model.ts';

interface Asked {
  model: string;
  messages: { role: string; content: string }[];
  response_format?: { type: string };
  max_tokens?: number;
  max_completion_tokens?: number;
  stream?: boolean;
}
type Reply = (asked: Asked, response: ServerResponse) => void;

let server: Server;
let asked: Asked[];
let replies: Reply[];
let clock: ManualClock;
let model: Model;

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(() => new Promise((resolve) => (server.closeAllConnections(), server.close(resolve))));
beforeEach(() => {
  asked = [];
  keys = [];
  replies = [];
  clock = manualClock();
  model = open();
});

// In every test, no endpoint may have a reason to refuse the request.
afterEach(() => expect(asked.flatMap(faultsOfRequest)).toEqual([]));

let changeKey: UseNewText = () => undefined;
let keys: (string | undefined)[] = [];
const here = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
const open = (baseUrl = here()) =>
  openAiModel(
    { baseUrl, apiKey: 'key', model: 'small' },
    {
      clock,
      log: silentLog,
      metrics: createMetrics('test'),
      changes: { ...nothingChanges, on: (_name, use) => void (changeKey = use) },
    },
  );

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  keys.push(request.headers.authorization);
  let body = '';
  for await (const chunk of request) body += String(chunk);
  const question = JSON.parse(body) as Asked;
  asked.push(question);
  const reply = replies.length > 1 ? replies.shift() : replies[0];
  reply?.(question, response);
}

const JSON_TYPE = { 'content-type': 'application/json' };
const send = (response: ServerResponse, code: number, body: unknown, headers = {}) =>
  response.writeHead(code, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body));
const saying =
  (content: string | null, more: object = {}, finish = 'stop'): Reply =>
  (_asked, response) =>
    send(response, 200, {
      choices: [{ index: 0, finish_reason: finish, message: { role: 'assistant', content, refusal: null, ...more } }],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
const failing =
  (code: number, headers = {}): Reply =>
  (_asked, response) =>
    send(response, code, { error: { message: 'no', type: 'x', code: null, param: null } }, headers);
const isControl = ({ messages }: Asked) => messages[0]?.content.includes('air_control');
const exceptControl =
  (reply: Reply): Reply =>
  (question, response) =>
    (isControl(question) ? saying('Hello') : reply)(question, response);
const verdicts = (...said: object[]) => JSON.stringify({ verdicts: said });
const yes = { rule_id: 'air_1', applies: true, confidence: 91, reason: 'it is one' };
const no = { rule_id: 'air_2', applies: false, confidence: 70, reason: 'it is none' };

const question: Question = {
  rules: [
    { ruleId: 'air_1', condition: 'is an invoice' },
    { ruleId: 'air_2', condition: 'is a newsletter' },
  ],
  mail: seenMail({ subject: 'Invoice', text: 'Please pay.' }),
};
const judge = () => model.judge(question, new AbortController().signal);
const applied = async () => (await judge()).verdicts.filter(({ applies }) => applies).map(({ ruleId }) => ruleId);
const unavailable = async (answering: Promise<unknown>): Promise<number> => {
  const error = await answering.then(
    () => new Error('it answered'),
    (thrown: Error) => thrown,
  );
  expect(error).toBeInstanceOf(ModelUnavailable);
  return (error as ModelUnavailable).retryAfterMs;
};

describe('a model behind an endpoint', () => {
  it('is asked once, by a schema, the fixed part first; its verdicts come with its tokens', async () => {
    replies = [saying(verdicts(yes, no))];
    expect(await judge()).toEqual({
      verdicts: [
        { ruleId: 'air_1', applies: true, confidence: 91, reason: 'it is one' },
        { ruleId: 'air_2', applies: false, confidence: 70, reason: 'it is none' },
      ],
      model: 'small',
      inputTokens: 100,
      outputTokens: 20,
    });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ model: 'small', response_format: { type: 'json_schema' } });
    const [system, user] = asked[0]?.messages ?? [];
    expect(system?.content.startsWith('You sort email.')).toBe(true);
    const { facts, recipients, ...email } = question.mail;
    expect(JSON.parse(user?.content ?? '')).toEqual({ facts: { ...facts, recipients }, email });
  });

  it('tells what each answer took, the unreadable ones too, and that of a call which then fails', async () => {
    const spent: number[] = [];
    const spend = ({ inputTokens, outputTokens }: { inputTokens: number; outputTokens: number }) =>
      void spent.push(inputTokens, outputTokens);
    replies = [saying('not JSON'), failing(503)];
    await model.judge(question, new AbortController().signal, spend).catch(() => undefined);
    expect(spent).toEqual([100, 20]);
  });

  it('is asked with the new key once the file of the key says another', async () => {
    replies = [saying(verdicts(yes, no))];
    await model.judge(question, new AbortController().signal);
    await changeKey('another');
    await model.judge(question, new AbortController().signal);
    expect(keys).toEqual(['Bearer key', 'Bearer another']);
  });

  it('falls back to less structure where formats are refused, and begins there the next time', async () => {
    replies = [failing(400), failing(422), failing(400), saying('```json\n' + verdicts(yes) + '\n```')];
    expect(await applied()).toEqual(['air_1']);
    const formats = ['json_schema', 'json_schema', 'json_object', undefined];
    expect(asked.map(({ response_format: format }) => format?.type)).toEqual(formats);
    expect(await applied()).toEqual(['air_1']);
    expect(asked).toHaveLength(5);
  });

  it('is told how long an answer may be by the name that it knows, and without one where an email leaves no room', async () => {
    const bound = 4_096 + 2 * 64;
    const told = () => asked.splice(0).map((one) => [one.max_tokens, one.max_completion_tokens]);
    replies = [failing(400), saying(verdicts(yes))];
    await judge();
    await judge();
    expect(told()).toEqual([
      [bound, undefined],
      [undefined, bound],
      [undefined, bound],
    ]);
    replies = [...Array.from({ length: 3 }, () => failing(400)), saying(verdicts(yes))];
    expect(await applied()).toEqual(['air_1']);
    expect(told().at(-1)).toEqual([undefined, undefined]);
    await judge();
    expect(told()).toEqual([[undefined, bound]]);
  });

  // So little that the answer also ends, and the test with it, where it is read whole.
  const KILOBYTES = 40 * 1024;
  it.each(['40 MB', '40 MB of an error'])(
    'that answers %s is read up to a bound, and its connection ends',
    async (what) => {
      let written = 0;
      const ended = new Promise<void>((resolve) => {
        replies = [
          (_asked, response) => {
            response
              .once('close', resolve)
              .writeHead(what.endsWith('error') ? 500 : 200, JSON_TYPE)
              .write('{"choices":[');
            const more = () => {
              for (; written < KILOBYTES && !response.destroyed; written += 1)
                if (!response.write(' '.repeat(1024))) return void response.once('drain', more);
              response.end();
            };
            more();
          },
        ];
      });
      await expect(judge()).rejects.toThrow();
      await ended;
      expect(written).toBeLessThan(KILOBYTES / 2);
    },
  );

  it.each([
    [null],
    [{}],
    [{ choices: 7 }],
    [{ choices: [null], usage: { prompt_tokens: 'many', completion_tokens: -1 } }],
  ])('that answers %j says nothing, and counts nothing', async (body) => {
    replies = [(_asked, response) => send(response, 200, body)];
    expect(await judge()).toMatchObject({ verdicts: [{ applies: false }, {}], inputTokens: 0, outputTokens: 0 });
  });

  it('never gives a label by a rule that was not asked about', async () => {
    replies = [saying(verdicts({ ...yes, rule_id: 'air_other' }, { ...yes, rule_id: 'air_2' }))];
    expect(await applied()).toEqual(['air_2']);
  });

  it.each([
    ['wrong JSON', 'yes, certainly'],
    ['half an answer', verdicts(yes).slice(0, 40)],
    ['another shape', '{"verdicts":{"air_1":true}}'],
    ['rules of its own alone', verdicts({ ...yes, rule_id: 'air_other' })],
    ['nothing', null],
  ])('is asked once more after %s, and then it means nothing', async (_what, content) => {
    replies = [saying(content)];
    const { verdicts: said, inputTokens } = await judge();
    expect(said.map(({ applies, confidence }) => ({ applies, confidence }))).toEqual([
      { applies: false, confidence: 0 },
      { applies: false, confidence: 0 },
    ]);
    expect(asked).toHaveLength(2);
    expect(inputTokens).toBe(200);
  });

  it('is understood when it answers well the second time', async () => {
    replies = [saying('Sure!'), saying(verdicts(yes, no))];
    expect(await applied()).toEqual(['air_1']);
  });

  it.each([
    ['itself', saying(null, { refusal: 'I cannot help with that.' })],
    ['a filter', saying('', {}, 'content_filter')],
    ['the endpoint, in every format', exceptControl(failing(400))],
  ])('says nothing of an email refused by %s', async (_who, reply) => {
    replies = [reply];
    expect((await judge()).verdicts.every(({ applies, confidence }) => !applies && confidence === 0)).toBe(true);
  });

  const control = () => asked.filter(isControl).length;

  it('that has too much to do for an email and for the control question is left alone for as long as it says', async () => {
    replies = [failing(429, { 'retry-after': '7' }), failing(429, { 'retry-after': '7' }), saying(verdicts(yes))];
    expect(await unavailable(judge())).toBe(7_000);
    await clock.advance(6_000);
    expect(await unavailable(judge())).toBe(1_000);
    expect(await model.availability.check()).toBe(false);
    expect([asked.length, control()]).toEqual([2, 1]);
    await clock.advance(1_000);
    expect(await model.availability.check()).toBe(true);
    expect(await applied()).toEqual(['air_1']);
  });

  it('is waited for at a date as well, and for some seconds where it says nothing', async () => {
    const date = new Date(clock.now() + 9_000).toUTCString();
    replies = [failing(429), failing(429, { 'retry-after': date }), failing(429)];
    expect(await unavailable(judge())).toBe(9_000);
    await clock.advance(9_000);
    expect(await model.availability.check()).toBe(false);
    expect(await unavailable(judge())).toBe(5_000);
  });

  it.each([401, 403, 404, 429, 500, 503])(
    'that answers %d for one email, and the control question, is available',
    async (code) => {
      replies = [failing(code), saying('Hello'), saying(verdicts(yes))];
      await expect(judge()).rejects.not.toBeInstanceOf(ModelUnavailable);
      expect(control()).toBe(1);
      expect(await applied()).toEqual(['air_1']);
    },
  );

  it.each([
    ['never answers', () => undefined],
    [
      'stops in the middle of its answer',
      (_asked: Asked, response: ServerResponse) => void response.writeHead(200, JSON_TYPE).write('{"ch'),
    ],
  ])('that %s is not waited for', async (_what, reply: Reply) => {
    replies = [reply, saying('Hello')];
    const failed = judge().catch((error: unknown) => error);
    while (asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 1));
    await clock.advance(20_000);
    expect(await failed).toEqual(expect.objectContaining({ message: 'no answer within 20000 ms' }));
  });

  it('that is not there costs no attempt', async () => {
    model = open('http://127.0.0.1:9/v1');
    expect(await unavailable(judge())).toBe(1_000);
  });
});
