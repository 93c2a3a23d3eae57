import { afterAll, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { freePort } from '@postroom/local/free-port';
import type { Redis } from 'ioredis';
import { openRedis } from '@postroom/limits/redis-connection';
import { silentLog } from '@postroom/runtime/log';
import { type Answer, apiClient, type ApiClient, type Json } from '../support/client.ts';
import { endServiceProcesses, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { skipAloud } from '../support/skips.ts';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

jest.setTimeout(120_000);
const { REDIS_URL: url } = process.env;
if (!url) skipAloud('limits of two gateway processes (REDIS_URL is not given)');

const PER_MINUTE = 60;
const PER_MONTH = 10_000;
const AT_ONCE = 8;

(url ? describe : describe.skip)('limits of two gateway processes, one of which is killed', () => {
  let stack: TestStack;
  let home: TestWorkspace;
  let raw: Redis;
  let gateways: { doomed: ServiceProcess; other: ServiceProcess };
  let clients: { doomed: ApiClient; other: ApiClient };
  const ports = { doomed: 0, other: 0 };

  const start = (port: number) =>
    startServiceProcess('gateway', {
      ...stack.addresses,
      MONGODB_URI: stack.mongodbUri,
      HTTP_PORT: String(port),
      REDIS_URL: url ?? '',
    });
  beforeAll(async () => {
    stack = await startStack();
    raw = openRedis({ url: url ?? '' }, silentLog) as Redis;
    [ports.doomed, ports.other] = [await freePort(0), await freePort(0)];
    const [doomed, other] = await Promise.all([start(ports.doomed), start(ports.other)]);
    gateways = { doomed, other };
  });
  afterAll(async () => {
    endServiceProcesses();
    raw.disconnect();
    await stack.close();
  });
  beforeEach(async () => {
    home = await stack.workspace({ plan: 'free' });
    const at = (port: number) => apiClient(`http://127.0.0.1:${port}/api/v1`, home.keys.read);
    clients = { doomed: at(ports.doomed), other: at(ports.other) };
  });
  const left = ({ headers }: Answer<Json>) => Number(headers.get('x-ratelimit-quota-remaining'));
  const list = (client: ApiClient) => client.get('/labels');
  /** Calls both in turn while the first of them is killed, and tells what was answered, and how many answers were lost. */
  const callWhileKilled = async () => {
    const calls: Promise<Answer<Json>>[] = [];
    for (let n = 0; n < AT_ONCE; n += 1) calls.push(list(clients.doomed), list(clients.other));
    await calls[1];
    await gateways.doomed.kill();
    const ended = await Promise.allSettled(calls);
    const answers = ended.flatMap((call) => (call.status === 'fulfilled' ? [call.value] : []));
    return { answers, lost: calls.length - answers.length };
  };

  it('the minute lets exactly the plan through, and is the same after a restart', async () => {
    let admitted = 0;
    for (let n = 0; n < 20; n += 1)
      admitted += (await list(n % 2 ? clients.doomed : clients.other)).status === 200 ? 1 : 0;
    const { answers, lost } = await callWhileKilled();
    admitted += answers.filter(({ status }) => status === 200).length;
    for (let n = 0; n < PER_MINUTE; n += 1) admitted += (await list(clients.other)).status === 200 ? 1 : 0;
    expect(admitted).toBeLessThanOrEqual(PER_MINUTE);
    expect(admitted).toBeGreaterThanOrEqual(PER_MINUTE - lost);
    gateways.doomed = await start(ports.doomed);
    expect((await list(clients.doomed)).body.code).toBe('RATE_LIMIT_EXCEEDED');
  });

  it('the month is charged for each call once, and never past the quota', async () => {
    expect(left(await list(clients.other))).toBe(PER_MONTH - 1);
    await raw.hset(`{${home.id}}:limits`, 'used', PER_MONTH - 10);
    const { answers, lost } = await callWhileKilled();
    for (let n = 0; n < 10; n += 1) answers.push(await list(clients.other));
    const admitted = answers.filter(({ status }) => status === 200).length;
    const refusals = answers.filter(({ status }) => status !== 200).map(({ body }) => body.code);
    expect(new Set(refusals)).toEqual(new Set(['QUOTA_EXCEEDED']));
    expect(admitted).toBeLessThanOrEqual(10);
    expect(admitted + lost).toBeGreaterThanOrEqual(10);
    gateways.doomed = await start(ports.doomed);
    for (const client of [clients.doomed, clients.other]) {
      const answer = await list(client);
      expect([answer.body.code, left(answer)]).toEqual(['QUOTA_EXCEEDED', 0]);
    }
    expect(await raw.hget(`{${home.id}}:limits`, 'used')).toBe(String(PER_MONTH));
  });

  it('the month goes on from the count of the other gateway when Redis and one gateway lose theirs at once', async () => {
    for (let n = 0; n < 12; n += 1) await list(n % 2 ? clients.other : clients.doomed);
    await gateways.doomed.kill();
    await raw.del(`{${home.id}}:limits`);
    expect(left(await list(clients.other))).toBe(PER_MONTH - 13);
    gateways.doomed = await start(ports.doomed);
    expect(left(await list(clients.doomed))).toBe(PER_MONTH - 14);
  });
});
