import { createHmac } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { commandLine } from '../support/command-line.ts';
import {
  lineOf,
  opened,
  refusing,
  scriptedStream,
  type ScriptedStream,
  type StreamAnswer,
} from '../support/scripted-stream.ts';

const KEY = `mk_${'k'.repeat(40)}`;

interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

let received: Received[];
let answer: (response: ServerResponse) => void;
let local: Server;
let forwardTo: string;
let stop: AbortController;
let feed: ScriptedStream;

beforeEach(async () => {
  [received, stop] = [[], new AbortController()];
  answer = (response) => response.writeHead(204).end();
  local = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({ headers: request.headers, body: Buffer.concat(pieces).toString() });
      answer(response);
    });
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  forwardTo = `http://127.0.0.1:${(local.address() as AddressInfo).port}/hook`;
});
afterEach(async () => {
  stop.abort();
  local.closeAllConnections();
  local.close();
  await feed?.close();
});

/** Stops the command when the script reaches this answer. */
const thenStop: StreamAnswer = (response) => {
  opened(response);
  stop.abort();
};
const changes =
  (...seqs: number[]): StreamAnswer =>
  (response) =>
    void opened(response).end(seqs.map((seq) => lineOf({ seq })).join(''));

async function listen(
  answers: StreamAnswer[],
  { end, ...env }: { end?: StreamAnswer; POSTROOM_API_KEY?: string } = {},
) {
  feed = await scriptedStream(answers, end);
  const said = await commandLine({ POSTROOM_API_KEY: KEY, ...env }, { signal: stop.signal })(
    'listen',
    '--forward-to',
    forwardTo,
    '--url',
    feed.baseUrl,
    '--json',
  );
  const lines = said.stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { ...said, lines };
}

describe('postroom listen', () => {
  it('delivers with the body, headers and signature of a webhook, under the secret that it prints', async () => {
    const { lines, exitCode } = await listen([changes(1), thenStop]);
    const [{ secret }] = lines;
    expect(lines).toEqual([
      { type: 'listening', forwardTo, secret: expect.stringMatching(/^whsec_/) },
      {
        type: 'delivery',
        id: 'evt_1',
        event: 'email.deleted',
        createdAt: '2026-03-01T00:00:00.000Z',
        status: 204,
        durationMs: expect.any(Number),
        error: null,
      },
      { type: 'stopped', delivered: 1, failed: 0 },
    ]);
    expect(exitCode).toBe(0);
    const [{ headers, body }] = received as [Received];
    expect(body).toBe('{"event":"email.deleted","createdAt":"2026-03-01T00:00:00.000Z","data":{"emailId":"eml_1"}}');
    const signature = headers['x-service-signature'] as string;
    const t = /^t=(\d+),/.exec(signature)?.[1];
    expect(signature).toBe(`t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`);
    expect(headers).toMatchObject({
      'x-service-event': 'email.deleted',
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
    });
  });

  it('delivers each change once and in order when the stream ends or breaks again and again', async () => {
    const broken: StreamAnswer = (response) => {
      opened(response).write(`${lineOf({ seq: 3 })}id: c4\ndata: {"half`);
      setImmediate(() => response.socket?.destroy());
    };
    const { lines } = await listen([changes(1, 2), changes(), broken, changes(4), thenStop]);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(['evt_1', 'evt_2', 'evt_3', 'evt_4']);
    expect(feed.asked.map((path) => path.split('since=')[1])).toEqual(['now', 'c0', 'c2', 'c2', 'c3', 'c4']);
    expect(lines.filter(({ type }) => type === 'interrupted')).toHaveLength(1);
  });

  it('delivers the announced events only, and goes on behind the others', async () => {
    const others: StreamAnswer = (response) =>
      void opened(response).end(lineOf({ seq: 1, event: 'email.created' }) + lineOf({ seq: 2, event: 'draft.sent' }));
    await listen([others, thenStop]);
    expect(received.map(({ headers }) => headers['x-service-event'])).toEqual(['draft.sent']);
    expect(feed.asked.at(-1)).toContain('since=c2');
  });

  it('shows a redirect, a failure and a body without end by their status', async () => {
    const answers = [
      (response: ServerResponse) => response.writeHead(302, { location: forwardTo }).end(),
      (response: ServerResponse) => response.writeHead(500).end('x'.repeat(100_000)),
      (response: ServerResponse) => response.writeHead(200).write('never ends'),
    ];
    answer = (response) => answers.shift()?.(response);
    const { lines } = await listen([changes(1, 2, 3), thenStop]);
    expect(lines.flatMap(({ type, status }) => (type === 'delivery' ? [status] : []))).toEqual([302, 500, 200]);
    expect(lines.at(-1)).toEqual({ type: 'stopped', delivered: 1, failed: 2 });
  });

  it('says that nobody listens at the local address, and goes on', async () => {
    local.close();
    const { lines } = await listen([changes(1, 2), thenStop]);
    expect(lines.filter(({ type }) => type === 'delivery')).toMatchObject([
      { status: null, error: 'nobody listens there; start your server' },
      { status: null, error: 'nobody listens there; start your server' },
    ]);
  });

  it('goes on from the oldest change that is kept when its cursor has expired', async () => {
    const expired = refusing(410, 'CHANGES_EXPIRED', { details: { oldestCursor: 'c7', currentCursor: 'c9' } });
    const { lines } = await listen([expired, changes(8), thenStop]);
    expect(feed.asked.map((path) => path.split('since=')[1])).toEqual(['now', 'c0', 'c7', 'c8']);
    expect(lines[1]).toMatchObject({ type: 'interrupted', reason: 'the changes since then are no longer kept' });
  });

  it.each([
    [404, 'NOT_FOUND', 'FEATURES=changes on the gateway'],
    [401, 'INVALID_API_KEY', 'give another with --api-key-file'],
    [401, 'API_KEY_REVOKED', 'has been revoked; give another'],
    [403, 'INSUFFICIENT_SCOPE', 'lacks the read scope'],
    [403, 'WORKSPACE_SUSPENDED', 'postroom workspace resume'],
    [429, 'QUOTA_EXCEEDED', 'monthly allowance'],
  ])('ends with what to do when the API answers %i %s, at the start and later', async (status, code, text) => {
    const first = await listen([], { end: refusing(status, code) });
    expect([first.exitCode, first.stdout]).toEqual([1, '']);
    expect(first.stderr).toContain(text);
    await feed.close();
    const later = await listen([changes(1), refusing(status, code)]);
    expect(later.exitCode).toBe(1);
    expect(later.stderr).toContain(text);
    expect(received).toHaveLength(1);
  });

  it('refuses a wrong key file, a text that is no key, no key, a wrong address and an API that is not there', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'postroom-listen-'));
    const file = join(folder, 'key');
    writeFileSync(file, 'mk_short\n');
    const run = commandLine({}, {});
    const to = ['listen', '--forward-to', forwardTo, '--url', 'http://127.0.0.1:10/api/v1'];
    expect(await run(...to)).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('POSTROOM_API_KEY') });
    expect((await run(...to, '--api-key-file', join(folder, 'none'))).stderr).toContain('cannot be read');
    const wrong = await run(...to, '--api-key-file', file);
    expect(wrong.stderr).toContain('mk_ and 40 letters and digits');
    expect(wrong.stderr).not.toContain('mk_short');
    writeFileSync(file, `${KEY}\n`);
    expect((await run(...to, '--api-key-file', file)).stderr).toMatch(
      /does not answer \(ECONNREFUSED\); start it, or give/,
    );
    for (const address of ['127.0.0.1:3000', 'ftp://a/', 'http://u:p@localhost/', ''])
      expect(await run('listen', '--forward-to', address)).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('--forward-to takes'),
      });
  });
});
