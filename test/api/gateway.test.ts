import { Agent, createServer, get } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createLog } from '@postroom/runtime/log';
import { timeLimits } from '@postroom/runtime/time-limits';
import { gate, KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';

let gateway: LoneGateway;
let isClosed = false;
afterEach(async () => {
  if (!isClosed) await gateway.close();
  isClosed = false;
});

/** One call over a connection that would be kept. */
function call(agent: Agent): Promise<{ status: number; connection: string | undefined }> {
  return new Promise((resolve, reject) => {
    const options = { agent, headers: { authorization: `Bearer ${KEY}` } };
    const request = get(`${gateway.baseUrl}/labels`, options, (response) => {
      response.resume();
      response.on('end', () => resolve({ status: response.statusCode ?? 0, connection: response.headers.connection }));
    });
    request.on('error', reject);
  });
}

/** A connection without a request. */
function knock(): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(new URL(gateway.baseUrl).port), '127.0.0.1');
    socket.once('connect', () => resolve(void socket.destroy())).once('error', reject);
  });
}

describe('the gateway', () => {
  it('500 INTERNAL_ERROR with Retry-After at once, when more come than it can carry', async () => {
    const [held, full] = [gate(), gate()];
    let inside = 0;
    const listLabels = () => {
      if (++inside === 3) full.open();
      return held.opened.then(() => ({ items: [] }));
    };
    gateway = await openLoneGateway({ bounds: { MAX_IN_FLIGHT: 3 }, services: { labelRule: { listLabels } } });
    const first = Array.from({ length: 3 }, () => gateway.caller.get('/labels'));
    await full.opened;
    const refused = await gateway.caller.get('/labels');
    expect(refused).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    held.open();
    expect((await Promise.all(first)).map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await gateway.caller.get('/labels')).status).toBe(200);
  });

  it('500 INTERNAL_ERROR without the cause, when a service fails in a way nobody thought of', async () => {
    const listLabelsFails = () => Promise.reject(new TypeError('secret of the server'));
    gateway = await openLoneGateway({ services: { labelRule: { listLabels: listLabelsFails } } });
    const answer = await gateway.caller.get('/labels');
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_ERROR' } });
    expect(JSON.stringify(answer.body)).not.toContain('secret');
    expect(answer.headers.has('x-ratelimit-limit')).toBe(true);
  });

  it('logs and measures a request by its route, and nothing of what it holds', async () => {
    const lines: string[] = [];
    const log = createLog('gateway', 'trace', { write: (line) => void lines.push(line) });
    const createLabel = () => Promise.reject(new Error('no room for Canary subject of canary@example.com'));
    gateway = await openLoneGateway({ log, services: { labelRule: { createLabel, getLabel: createLabel } } });
    const headers = { 'idempotency-key': 'canary-key', cookie: 'canary-cookie', traceparent: 'canary' };
    await gateway.caller.post('/labels?canary=canary', { name: 'canary', color: 'Red' }, { headers });
    await gateway.caller.get('/labels/canary-id', { headers });
    await gateway.caller.get('/canary', { headers: { authorization: `Bearer mk_${'canary'.repeat(6)}abcd` } });
    const requests = lines
      .map((line) => JSON.parse(line) as Record<string, unknown>)
      .filter(({ msg }) => msg === 'request');
    expect(requests.map(({ route, status, workspaceId }) => [route, status, workspaceId])).toEqual([
      ['/labels', 500, 'wsp_1'],
      ['/labels/{labelId}', 500, 'wsp_1'],
      ['unknown', 404, 'wsp_1'],
    ]);
    const told =
      lines.join('').replaceAll('no room for Canary subject of', '') + (await gateway.context.metrics.page());
    expect(told).not.toMatch(/canary|mk_/i);
    expect(told).toContain('http_request_seconds');
  });

  it('hands the trace of its caller on, with a span of its own in between', async () => {
    const seen: (string | undefined)[] = [];
    const collector = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
    const { port } = collector.address() as AddressInfo;
    const listLabels = (_request: unknown, context: { traceparent?: string }) => {
      seen.push(context.traceparent);
      return Promise.resolve({ items: [] });
    };
    const services = { labelRule: { listLabels: listLabels as never } };
    gateway = await openLoneGateway({ services, otlpEndpoint: `http://127.0.0.1:${port}` });
    const traceId = 'ab'.repeat(16);
    const traceparent = `00-${traceId}-${'cd'.repeat(8)}-01`;
    const answer = await gateway.caller.get('/labels', { headers: { traceparent } });
    expect(answer.status).toBe(200);
    expect(seen[0]).toMatch(new RegExp(`^00-${traceId}-[0-9a-f]{16}-01$`));
    expect(seen[0]).not.toBe(traceparent);
    // The operator chooses the sampling rate, so the gateway ignores the caller's flag.
    await gateway.caller.get('/labels', { headers: { traceparent: traceparent.replace(/01$/, '00') } });
    expect(seen[1]).toMatch(/-01$/);
    isClosed = true;
    await gateway.close();
    collector.closeAllConnections();
    collector.close();
  });

  it('looks a key up once in seconds, and a malformed one never', async () => {
    gateway = await openLoneGateway({ services: { labelRule: { listLabels: () => Promise.resolve({ items: [] }) } } });
    for (let count = 0; count < 10; count++) await gateway.caller.get('/labels');
    for (const key of ['mk_', `mk_${'a'.repeat(39)}`, `mk_${'a'.repeat(39)}!`, `mk_${'a'.repeat(4_000)}`]) {
      await gateway.caller.get('/labels', { headers: { authorization: `Bearer ${key}` } });
    }
    expect(gateway.lookups()).toBe(1);
  });

  it('serves on while it is told to leave, and asks for the next request on another connection', async () => {
    gateway = await openLoneGateway({ services: { labelRule: { listLabels: async () => ({ items: [] }) } } });
    const agent = new Agent({ keepAlive: true });
    expect(await call(agent)).toEqual({ status: 200, connection: 'keep-alive' });
    gateway.context.readiness.drain();
    expect(await call(agent)).toEqual({ status: 200, connection: 'close' });
    expect(await call(agent)).toEqual({ status: 200, connection: 'close' });
    agent.destroy();
  });

  describe('told to leave', () => {
    /** One request that is being answered while the gateway closes; its service answers when it is let. */
    const leaveDuringRequest = async () => {
      const slow = gate();
      const begun = gate();
      const listLabels = () => {
        begun.open();
        return slow.opened.then(() => ({ items: [] }));
      };
      gateway = await openLoneGateway({ services: { labelRule: { listLabels } } });
      const agent = new Agent({ keepAlive: true });
      const pending = call(agent);
      pending.catch(() => undefined);
      await begun.opened;
      gateway.context.readiness.drain();
      isClosed = true;
      const closed = gateway.close();
      // The limit of the drain runs from the moment at which the gateway takes no more connections.
      const isRefused = () =>
        knock().then(
          () => false,
          () => true,
        );
      while (!(await isRefused())) await new Promise((resolve) => setImmediate(resolve));
      return { slow, pending, closed, agent };
    };

    it('keeps no connection, and takes none', async () => {
      const { slow, pending, closed, agent } = await leaveDuringRequest();
      await expect(knock()).rejects.toThrow('ECONNREFUSED');
      slow.open();
      expect(await pending).toEqual({ status: 200, connection: 'close' });
      await closed;
      agent.destroy();
    });

    it('200 for a request that takes all the time a request may take', async () => {
      const { slow, pending, closed, agent } = await leaveDuringRequest();
      await gateway.clock.advance(timeLimits.answerMs);
      slow.open();
      expect(await pending).toEqual({ status: 200, connection: 'close' });
      await closed;
      agent.destroy();
    });

    it('cuts off what is begun past that time, and closes', async () => {
      const { slow, pending, closed, agent } = await leaveDuringRequest();
      await gateway.clock.advance(timeLimits.gatewayDrainMs);
      await expect(pending).rejects.toThrow('socket hang up');
      slow.open();
      await closed;
      agent.destroy();
    });
  });
});
