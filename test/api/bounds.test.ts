import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '../engines/eventually.ts';
import { gate, KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';
import { chunked, rawConnection, rawHttp, type RawConnection } from './raw-http.ts';

const label = { id: 'lbl_1', name: 'A', color: 'Red', isAiLabel: false, createdAt: '2026-01-01T00:00:00.000Z' };
const labelRule = {
  createLabel: () => Promise.resolve(label),
  listLabels: () => Promise.resolve({ items: [label] }),
};
let gateway: LoneGateway;
let sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets = [];
  await gateway.close();
});

const bodyOf = (bytes: number) => {
  const text = JSON.stringify({ name: 'A', color: 'Red', ignored: '' });
  return text.replace('"ignored":""', `"ignored":"${'x'.repeat(bytes - text.length)}"`);
};
const head = (key: string, ...headers: string[]) => [
  'POST /api/v1/labels HTTP/1.1',
  'Host: x',
  `Authorization: Bearer ${key}`,
  'Content-Type: application/json',
  ...headers,
];
const gauge = async (name: string) =>
  Number(new RegExp(`^${name}\\{[^}]*\\} (\\d+)`, 'm').exec(await gateway.context.metrics.page())?.[1]);

async function open(...lines: string[]): Promise<RawConnection> {
  const connection = await rawConnection(gateway.baseUrl);
  sockets.push(connection.socket);
  if (lines.length > 0) connection.socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  return connection;
}

describe('a body in pieces', () => {
  const inPieces = (bytes: number) => chunked(Array.from(bodyOf(bytes), (letter) => Buffer.from(letter)));

  it('is read in as many as anybody makes who writes a word at a time', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const answer = await rawHttp(gateway.baseUrl, head(KEY, 'Transfer-Encoding: chunked'), inPieces(8_000));
    expect(answer.status).toBe(201);
  });

  it('400 REQUEST_ERROR with the six headers when it comes byte by byte, and nothing more of it is read', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const answer = await rawHttp(gateway.baseUrl, head(KEY, 'Transfer-Encoding: chunked'), inPieces(100_000));
    expect(answer).toMatchObject({ status: 400, body: { code: 'REQUEST_ERROR' }, headers: { connection: 'close' } });
    expect(answer.headers).toHaveProperty('x-ratelimit-remaining');
  });
});

describe('all bodies together', () => {
  const PART = 131_072;
  const upload = async (key: string, bytes = PART) => {
    const caller = await open(...head(key, `Content-Length: ${PART}`));
    caller.socket.write(bodyOf(PART).slice(0, bytes));
    return caller;
  };
  const bounds = { MAX_BODY_MEMORY: 8 * PART };

  it('500 INTERNAL_ERROR with Retry-After for one too many, and none of the others is harmed', async () => {
    gateway = await openLoneGateway({ services: { labelRule }, bounds });
    await gateway.caller.get('/labels');
    const slow = await Promise.all(Array.from({ length: 8 }, () => upload(KEY, PART - 1)));
    await eventually(async () => expect(await gauge('http_body_bytes')).toBeGreaterThanOrEqual(8 * (PART - 1)));
    const refused = await upload(KEY);
    await eventually(() => expect(refused.heard()).toMatch(/^HTTP\/1\.1 500 [^]*Retry-After: 1\r\n[^]*INTERNAL_ERROR/));
    for (const { socket } of slow) socket.write('}');
    await eventually(() => slow.forEach(({ heard }) => expect(heard()).toMatch(/^HTTP\/1\.1 201 /)));
    await eventually(async () => expect(await gauge('http_body_bytes')).toBe(0));
  });

  it('are those of strangers first to go', async () => {
    const asked = gate();
    const known = { key: undefined as never, workspace: undefined as never };
    let isFirst = true;
    const resolveKey = () => {
      if (!isFirst) return asked.opened.then(() => ({}) as typeof known);
      isFirst = false;
      return Promise.resolve({ key: gateway.key, workspace: gateway.workspace });
    };
    gateway = await openLoneGateway({ services: { labelRule, workspace: { resolveKey } as never }, bounds });
    await gateway.caller.get('/labels');
    const strangers = await Promise.all(
      Array.from({ length: 12 }, (_, at) => upload(`mk_${String(at).padStart(40, 's')}`)),
    );
    await eventually(async () => expect(await gauge('http_body_bytes')).toBeGreaterThan(7 * PART));
    const friends = await Promise.all(Array.from({ length: 3 }, () => upload(KEY)));
    await eventually(() => friends.forEach(({ heard }) => expect(heard()).toMatch(/^HTTP\/1\.1 201 /)));
    expect(await gauge('http_body_bytes')).toBeLessThanOrEqual(8 * PART);
    asked.open();
    await eventually(() => strangers.forEach(({ heard }) => expect(heard()).toMatch(/^HTTP\/1\.1 401 /)));
  });
});

describe('connections', () => {
  it('a crowd of strangers takes the connections of strangers: callers with a key stay, and new ones with a key are admitted', async () => {
    gateway = await openLoneGateway({ services: { labelRule }, bounds: { MAX_CONNECTIONS: 5 } });
    const ask = ['GET /api/v1/labels HTTP/1.1', 'Host: x', `Authorization: Bearer ${KEY}`];
    const friend = await open(...ask);
    await eventually(() => expect(friend.heard()).toMatch(/^HTTP\/1\.1 200 /));
    const crowd: RawConnection[] = [];
    for (let come = 0; come < 20; come++) {
      const stranger = await open();
      stranger.socket.write('GET /api/v1/labels HTTP/1.1\r\nX-Slow: ');
      crowd.push(stranger);
    }
    const other = await open(...ask);
    await eventually(() => expect(other.heard()).toMatch(/^HTTP\/1\.1 200 /));
    friend.socket.write(`${ask.join('\r\n')}\r\n\r\n`);
    await eventually(() => expect(friend.heard().match(/HTTP\/1\.1 200 /g)).toHaveLength(2));
    await eventually(() => expect(crowd.filter(({ socket }) => socket.readableEnded)).toHaveLength(17));
    expect(await gauge('http_connections')).toBe(5);
  });

  const large = { items: [{ ...label, name: 'x'.repeat(12_000_000) }] };
  const askAndNeverRead = async (length: number, times = 1) => {
    const ask = ['GET /api/v1/labels HTTP/1.1', 'Host: x', `Authorization: Bearer ${KEY}`];
    const callers = await Promise.all(Array.from({ length }, () => open()));
    await eventually(async () => expect(await gauge('http_connections')).toBe(length));
    for (const { socket } of callers) socket.pause().write(`${ask.join('\r\n')}\r\n\r\n`.repeat(times));
  };

  it('a caller who does not take its answer is given up after a minute', async () => {
    gateway = await openLoneGateway({ services: { labelRule: { listLabels: () => Promise.resolve(large) } } });
    await askAndNeverRead(1);
    await eventually(async () => expect(await gauge('http_unread_bytes')).toBeGreaterThan(0));
    await gateway.clock.advance(59_000);
    expect(await gauge('http_connections')).toBe(1);
    await gateway.clock.advance(2_000);
    await eventually(async () => expect(await gauge('http_connections')).toBe(0));
  });

  it('a caller who asks on without taking its answer has one answer in memory', async () => {
    let calls = 0;
    const listLabels = () => Promise.resolve(large).finally(() => calls++);
    gateway = await openLoneGateway({ services: { labelRule: { listLabels } } });
    await askAndNeverRead(1, 40);
    await eventually(async () => expect(await gauge('http_unread_bytes')).toBeGreaterThan(12_000_000));
    expect(calls).toBe(1);
    expect(await gauge('http_unread_bytes')).toBeLessThan(13_000_000);
  });

  it('a caller without a key who does not take its answer keeps no connection', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const { socket } = await open();
    socket.pause().write('GET /api/v1/labels HTTP/1.1\r\nHost: x\r\n\r\n');
    await eventually(async () => {
      expect(gateway.lookups()).toBe(0);
      expect(await gauge('http_request_seconds_count')).toBe(1);
      expect(await gauge('http_connections')).toBe(0);
    });
  });

  it('callers who do not take their answers are given up at once when they are too many bytes together', async () => {
    const services = { labelRule: { listLabels: () => Promise.resolve(large) } };
    gateway = await openLoneGateway({ services, bounds: { MAX_UNREAD_ANSWERS: 30_000_000 } });
    await askAndNeverRead(4);
    await eventually(async () => expect(await gauge('http_connections')).toBe(2));
    expect(await gauge('http_unread_bytes')).toBeLessThan(30_000_000);
  });
});
