import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { createTransport } from 'nodemailer';
import { eventually } from '../engines/eventually.ts';
import { apiClient } from '../support/client.ts';
import { commandLine } from '../support/command-line.ts';
import { openEventStream } from '../support/event-stream.ts';
import { npmStart, type StartedPostroom } from '../support/npm-start.ts';
import { answerWith, ok, openReceiver, type Received } from '../support/webhook-receiver.ts';

const HOST = 'hooks.example.com';
const folder = mkdtempSync(join(tmpdir(), 'postroom-newcomer-'));
let receiver: Awaited<ReturnType<typeof openReceiver>>;
let postroom: StartedPostroom;
beforeAll(async () => {
  receiver = await openReceiver([HOST]);
  writeFileSync(join(folder, 'ca.pem'), receiver.ca);
  postroom = await start();
});
afterAll(async () => {
  await postroom?.stop();
  await receiver.close();
  rmSync(folder, { recursive: true });
});

const OPTIONS = ['--open', 'changes,webhooks,threads', '--emails', '20', '--data', join(folder, 'data')];
const start = () => {
  const route = `${HOST}=127.0.0.1:${receiver.port}`;
  const webhooks = ['--webhook-route', route, '--webhook-ca', join(folder, 'ca.pem')];
  return npmStart(...OPTIONS, ...webhooks, '--webhook-delays', '0.2,0.2,0.2,0.2');
};
const api = () => apiClient(postroom.ready.baseUrl, postroom.ready.keys.write);
const send = async (subject: string) => {
  const { smtp, mailboxes } = postroom.ready;
  const transport = createTransport({ ...smtp, secure: false, ignoreTLS: true });
  await transport.sendMail({ from: 'ann@sender.example', to: mailboxes[0]?.email, subject, text: 'Hello.' });
  transport.close();
};
const isGenuine = ({ headers, body }: Received, secret: string) => {
  const [, t, v1] = /^t=(\d+),v1=(\w+)$/.exec(String(headers['x-service-signature'])) ?? [];
  return createHmac('sha256', secret).update(`${t}.${body}`).digest('hex') === v1;
};
const idsOf = (received: readonly Received[]) => received.map(({ headers }) => headers['webhook-id']);

it('a newcomer follows a workspace by the feed, the stream, a webhook and threads, and goes on after a restart', async () => {
  expect(postroom.ready.features.toSorted()).toEqual(['changes', 'threads', 'webhooks']);
  const { webhook, secret } = (await api().post('/webhooks', { url: `https://${HOST}/hook` })).body;
  const { nextCursor: cursor } = (await api().get('/changes?since=now')).body;
  const headers = { authorization: `Bearer ${postroom.ready.keys.read}` };
  const stream = await openEventStream(`${postroom.ready.baseUrl}/changes/stream`, headers);
  // The first attempt fails, and the second one is taken.
  let isDown = true;
  receiver.answer((one, response) => {
    (isDown ? answerWith(503) : ok)(one, response);
    isDown = false;
  });

  await send('Hello newcomer');
  const told = (await api().get(`/changes?since=${cursor}&wait=25`)).body.items[0];
  expect(told).toMatchObject({ event: 'email.received', data: { folderType: 'INBOX' } });
  const { email } = (await api().get(`/emails/${told.data.emailId}`)).body;
  expect(email.subject).toBe('Hello newcomer');
  expect((await stream.until(1))[0]?.data).toEqual(told);
  const { items: threads } = (await api().get('/threads?limit=1')).body;
  expect(threads).toEqual([expect.objectContaining({ id: email.threadId, emailCount: 1, unreadCount: 1 })]);

  await eventually(async () => {
    const { items } = (await api().get(`/webhooks/${webhook.id}/deliveries`)).body;
    expect(items).toMatchObject([
      { changeId: told.id, status: 'delivered', attempts: [{ status: 503 }, { status: 200, error: null }] },
    ]);
  });
  expect(idsOf(receiver.received)).toEqual([told.id, told.id]);
  expect(receiver.received.every((one) => isGenuine(one, secret))).toBe(true);

  await api().patch(`/emails/${email.id}`, { isRead: true });
  expect((await stream.until(2))[1]?.data).toMatchObject({
    event: 'email.updated',
    data: { changes: { isRead: true } },
  });
  await eventually(async () => expect(receiver.received).toHaveLength(3), 20_000);
  const { nextCursor: before } = (await api().get('/changes?since=now')).body;

  expect(await postroom.stop()).toBe(0);
  await stream.ended.catch(() => undefined);
  postroom = await start();
  receiver.received.length = 0;
  await send('Hello again');
  const again = (await api().get(`/changes?since=${before}&wait=25`)).body.items;
  expect(again).toMatchObject([{ seq: told.seq + 2, event: 'email.received' }]);
  await eventually(async () => expect(idsOf(receiver.received)).toEqual([again[0].id]), 20_000);
});

it('postroom listen delivers the same events to a program of this machine', async () => {
  const stop = new AbortController();
  const env = { POSTROOM_URL: postroom.ready.baseUrl, POSTROOM_API_KEY: postroom.ready.keys.read };
  const bodies: string[] = [];
  const local = createServer((request, response) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      bodies.push(body);
      response.writeHead(204).end();
      stop.abort();
    });
  });
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve));
  const { port } = local.address() as AddressInfo;
  const listening = commandLine(env, { signal: stop.signal })('listen', '--forward-to', `http://127.0.0.1:${port}/`);
  const sending = (async () => {
    // It begins with the changes that come after it has connected.
    while (!stop.signal.aborted) {
      await send('For the listener');
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  expect((await listening).exitCode).toBe(0);
  await sending;
  local.close();
  expect(JSON.parse(bodies[0] ?? '')).toMatchObject({ event: 'email.received', data: { folderType: 'INBOX' } });
});
