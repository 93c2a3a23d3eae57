import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { openNameServer } from '../../../../test/support/name-server.ts';
import { answerWith, ok, openReceiver } from '../../../../test/support/webhook-receiver.ts';
import { createTargets } from '../targets/targets.ts';
import { createEndpointSender } from './send.ts';

const request = { workspaceId: 'wsp_1', headers: { 'content-type': 'application/json' }, body: '{}' };
let receiver: Awaited<ReturnType<typeof openReceiver>>;
beforeAll(async () => {
  receiver = await openReceiver(['hooks.test']);
});
afterAll(() => receiver.close());
beforeEach(() => {
  receiver.received.splice(0);
  receiver.answer(ok);
});

const targetsOf = (host: string) =>
  createTargets({ routes: new Map([[host, { address: '127.0.0.1', port: receiver.port }]]) });
const send = (url: string, { ca, ms }: { ca?: string; ms?: number } = { ca: receiver.ca }) =>
  createEndpointSender({ ca, ...(ms !== undefined && { ms }) }).send(
    () => targetsOf(new URL(url).hostname).find(url),
    request,
  );

describe('an attempt', () => {
  it('goes to the checked address under the name of the host', async () => {
    expect(await send('https://hooks.test/in?a=1')).toEqual({ status: 200, isDelivered: true, error: null });
    expect(receiver.received).toMatchObject([{ host: 'hooks.test', path: '/in?a=1', body: '{}' }]);
  });

  it('is refused by a certificate of an unknown authority, and by one for another host', async () => {
    expect((await send('https://hooks.test/', {})).error).toBe('the certificate is not of a trusted authority');
    expect((await send('https://other.test/')).error).toBe('the certificate is for another host');
    expect(receiver.received).toEqual([]);
  });

  it.each([301, 302, 303, 307, 308])('takes %s for a failure, and follows nowhere', async (status) => {
    receiver.answer(answerWith(status, { location: 'https://hooks.test/elsewhere' }));
    expect(await send('https://hooks.test/')).toMatchObject({ status, isDelivered: false });
    expect(receiver.received).toHaveLength(1);
  });

  it('ends without an answer in time, and counts one that began in time', async () => {
    receiver.answer(() => undefined);
    const brief = { ca: receiver.ca, ms: 300 };
    expect(await send('https://hooks.test/', brief)).toMatchObject({
      status: null,
      error: 'no answer within the time',
    });
    receiver.answer((_one, response) => void response.writeHead(202).write('a'));
    expect(await send('https://hooks.test/', brief)).toMatchObject({ status: 202, isDelivered: true });
  });

  it('ends at too many interim responses, and takes the answer behind a few', async () => {
    const interim = 'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    receiver.answer((_one, { socket }) => {
      const sending = setInterval(() => socket?.write(interim.repeat(10)), 5);
      socket?.once('close', () => clearInterval(sending));
    });
    expect(await send('https://hooks.test/', { ca: receiver.ca, ms: 2_000 })).toEqual({
      status: null,
      isDelivered: false,
      error: 'the answer has too many interim responses',
    });
    receiver.answer((one, response) => {
      response.socket?.write(interim.repeat(3));
      ok(one, response);
    });
    expect(await send('https://hooks.test/')).toMatchObject({ status: 200, isDelivered: true });
  });

  it('does not carry the text of an answer in its error', async () => {
    receiver.answer((_one, response) => void response.writeHead(500, 'canary', { canary: 'canary' }).end('canary'));
    expect((await send('https://hooks.test/')).error).toBe('the endpoint answered 500');
    receiver.answer((_one, response) => void response.socket?.end('canary\r\n\r\n'));
    expect((await send('https://hooks.test/')).error).not.toContain('canary');
  });
});

describe('deliveries one after the other', () => {
  const post = async (sender: ReturnType<typeof createEndpointSender>, url = 'https://hooks.test/') =>
    sender.send(() => targetsOf('hooks.test').find(url), request);

  it('go over one connection', async () => {
    const sockets = new Set<unknown>();
    receiver.answer((one, response) => {
      sockets.add(response.socket);
      ok(one, response);
    });
    const sender = createEndpointSender({ ca: receiver.ca });
    for (let n = 0; n < 3; n += 1) {
      expect(await post(sender, `https://hooks.test/${n}`)).toMatchObject({ status: 200 });
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(receiver.received.map(({ path }) => path)).toEqual(['/0', '/1', '/2']);
    expect(sockets.size).toBe(1);
    sender.close();
  });

  it('are taken where the endpoint closes all its idle connections as several arrive', async () => {
    const used = new Set<unknown>();
    let together = 3;
    receiver.answer((one, response) => {
      const { socket } = response;
      if (used.has(socket)) return void socket?.destroy();
      const answer = () => {
        used.add(socket);
        ok(one, response);
      };
      together -= 1;
      if (together > 0) setTimeout(answer, 50);
      else answer();
    });
    const sender = createEndpointSender({ ca: receiver.ca });
    const three = () => Promise.all(Array.from({ length: 3 }, () => post(sender)));
    for (let times = 0; times < 2; times += 1)
      expect(await three()).toEqual(Array(3).fill({ status: 200, isDelivered: true, error: null }));
    sender.close();
  });

  it('are asked once where the endpoint never answered, and twice at most where it did', async () => {
    const end: typeof ok = (_one, response) => void response.socket?.destroy();
    receiver.answer(end);
    const sender = createEndpointSender({ ca: receiver.ca });
    const closed = { status: null, isDelivered: false, error: 'the connection was closed before an answer' };
    expect(await post(sender)).toEqual(closed);
    expect(receiver.received).toHaveLength(1);
    receiver.answer(ok);
    await post(sender);
    receiver.received.splice(0);
    receiver.answer(end);
    expect(await post(sender)).toEqual(closed);
    expect(receiver.received).toHaveLength(2);
    sender.close();
  });

  it('go to the address that the name has by then', async () => {
    const other = await openReceiver(['hooks.test']);
    const sender = createEndpointSender({ ca: `${receiver.ca}${other.ca}` });
    for (const { port } of [receiver, other]) {
      const targets = createTargets({ routes: new Map([['hooks.test', { address: '127.0.0.1', port }]]) });
      expect(await sender.send(() => targets.find('https://hooks.test/'), request)).toMatchObject({ status: 200 });
    }
    expect([receiver.received.length, other.received.length]).toEqual([1, 1]);
    sender.close();
    await other.close();
  });
});

it('a name that is public at first and inside afterwards is connected to neither time', async () => {
  const names = await openNameServer(['93.184.216.34', '127.0.0.1', '169.254.169.254']);
  const targets = createTargets({ routes: new Map(), server: names.server });
  const url = 'https://rebind.example.com/';
  await targets.check(url);
  const sender = createEndpointSender({ ca: receiver.ca });
  for (let n = 0; n < 2; n += 1) {
    const result = await sender.send(() => targets.find(url), request);
    expect(result).toMatchObject({ status: null, error: 'the host has an address that is not public' });
  }
  await expect(targets.check(url)).rejects.toMatchObject({ details: { url: [expect.any(String)] } });
  expect(receiver.received).toEqual([]);
  names.close();
});
