import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import type { Services } from '../../services/gateway/src/routes/services.ts';
import type { Answer, Json } from '../support/client.ts';
import { goodBodies } from './good-bodies.ts';
import { gate, KEY, openLoneGateway, type LoneGateway } from './lone-gateway.ts';
import type { Ids } from './populated.ts';
import { rawHttp } from './raw-http.ts';

const EXPERT = { perMinute: 1_000, perMonth: 1_000_000 };
/** Longer than the gateway takes a key for granted. */
const NOTICED_MS = 6_000;

/** Bodies that pass, so that what is refused is refused for the reason that a test is about. */
const GOOD_BODIES = goodBodies(
  new Proxy({}, { get: (_ids, name) => (name === 'messageId' ? '<1@b.example>' : `${String(name)}_1`) }) as Ids,
);

let gateway: LoneGateway;
/** Every rpc of every service gives this answer. */
let answerOfServices: () => Promise<never>;

beforeAll(async () => {
  const service = new Proxy({}, { get: () => () => answerOfServices() }) as Services[keyof Services];
  const services = {
    labelRule: service,
    mailboxRead: service,
    mailboxWrite: service,
    viewFilter: service,
    outboundSend: service,
    changes: service,
    webhookDelivery: service,
  };
  gateway = await openLoneGateway({ services: services as Partial<Services> });
  gateway.workspace.plan = 'expert';
});
afterAll(() => gateway.close());

const named = (some: readonly Route[]) => some.map((route) => [`${route.method} ${route.path}`, route] as const);
const endpoints = named(routes);
const withBody = named(routes.filter(({ body }) => body));
const needingBody = withBody.filter(([, { bodyIsOptional }]) => !bodyIsOptional);
const replayable = named(routes.filter(({ idempotent }) => idempotent));

const pathOf = ({ path }: Route) => path.replaceAll(/\{\w+\}/g, 'id_1') + (path.endsWith('/search') ? '?q=ab' : '');
const call = (route: Route, headers: Record<string, string> = {}) =>
  gateway.caller.request(route.method, pathOf(route), { body: GOOD_BODIES[route.operationId]?.[0], headers });

function expectRefusal(answer: Answer<Json>, status: number, code: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.body.error).toEqual(expect.any(String));
  const limits = [...answer.headers.keys()].filter((name) => name.startsWith('x-ratelimit-'));
  expect(limits).toHaveLength(status === 401 ? 0 : 6);
}

/** Holds for the tests of one block, and is noticed by the gateway before the first of them. */
function during(change: () => unknown, undo: () => unknown): void {
  const noticed = async (step: () => unknown) => {
    await step();
    await gateway.clock.advance(NOTICED_MS);
  };
  beforeAll(() => noticed(change));
  afterAll(() => noticed(undo));
}

describe('401 INVALID_API_KEY without a key', () => {
  it.each(endpoints)('%s', async (_name, route) => {
    expectRefusal(await call(route, { authorization: '' }), 401, 'INVALID_API_KEY');
  });
});

describe('401 API_KEY_REVOKED', () => {
  during(
    () => (gateway.key.revokedAt = new Date(gateway.clock.now()).toISOString()),
    () => (gateway.key.revokedAt = undefined),
  );
  it.each(endpoints)('%s', async (_name, route) => {
    expectRefusal(await call(route), 401, 'API_KEY_REVOKED');
  });
});

describe('401 API_KEY_EXPIRED, saying since when', () => {
  during(
    () => (gateway.key.expiresAt = new Date(gateway.clock.now()).toISOString()),
    () => (gateway.key.expiresAt = undefined),
  );
  it.each(endpoints)('%s', async (_name, route) => {
    const answer = await call(route);
    expectRefusal(answer, 401, 'API_KEY_EXPIRED');
    expect(answer.body.details).toEqual({ expiredAt: gateway.key.expiresAt });
  });
});

describe('403 WORKSPACE_SUSPENDED', () => {
  during(
    () => (gateway.workspace.isSuspended = true),
    () => (gateway.workspace.isSuspended = false),
  );
  it.each(endpoints)('%s', async (_name, route) => {
    expectRefusal(await call(route), 403, 'WORKSPACE_SUSPENDED');
  });
});

describe.each([
  ['read', 'write'],
  ['write', 'read'],
] as const)('403 INSUFFICIENT_SCOPE where %s is needed and %s is granted', (required, granted) => {
  during(
    () => (gateway.key.scopes = [granted]),
    () => (gateway.key.scopes = ['read', 'write']),
  );
  it.each(named(routes.filter(({ scope }) => scope === required)))('%s', async (_name, route) => {
    const answer = await call(route);
    expectRefusal(answer, 403, 'INSUFFICIENT_SCOPE');
    expect(answer.body.details).toEqual({ required, granted: [granted] });
  });
});

describe('429 RATE_LIMIT_EXCEEDED', () => {
  const home = () => gateway.workspace.id;
  during(
    async () => {
      gateway.workspace.id = 'wsp_busy';
      for (let count = 0; count < EXPERT.perMinute; count++) await gateway.limiter.admit(home(), EXPERT);
    },
    () => (gateway.workspace.id = 'wsp_1'),
  );
  it.each(endpoints)('%s', async (_name, route) => {
    const answer = await call(route);
    expectRefusal(answer, 429, 'RATE_LIMIT_EXCEEDED');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('429 QUOTA_EXCEEDED', () => {
  during(
    () => {
      gateway.workspace.id = 'wsp_spent';
      return gateway.limiter.charge('wsp_spent', EXPERT, EXPERT.perMonth);
    },
    () => (gateway.workspace.id = 'wsp_1'),
  );
  it.each(endpoints)('%s', async (_name, route) => {
    const answer = await call(route);
    expectRefusal(answer, 429, 'QUOTA_EXCEEDED');
    expect(answer.body.details).toMatchObject({ used: EXPERT.perMonth, quota: EXPERT.perMonth });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  });
});

describe('413 PAYLOAD_TOO_LARGE', () => {
  it.each(endpoints)('%s', async (_name, route) => {
    const head = [`${route.method} /api/v1${pathOf(route)} HTTP/1.1`, 'Host: test', `Authorization: Bearer ${KEY}`];
    const { status, headers, body } = await rawHttp(gateway.baseUrl, [...head, 'Content-Length: 262145']);
    expectRefusal({ status, headers: new Headers(headers), body }, 413, 'PAYLOAD_TOO_LARGE');
  });
});

describe('400 for a body', () => {
  it.each(withBody)('REQUEST_ERROR when it is not JSON: %s', async (_name, route) => {
    const answer = await gateway.caller.request(route.method, pathOf(route), { raw: '{' });
    expectRefusal(answer, 400, 'REQUEST_ERROR');
  });

  it.each(needingBody)('REQUEST_ERROR when there is none: %s', async (_name, route) => {
    expectRefusal(await gateway.caller.request(route.method, pathOf(route)), 400, 'REQUEST_ERROR');
  });

  it.each(needingBody)('VALIDATION_FAILED when nothing is in it, naming what is missing: %s', async (_name, route) => {
    const answer = await gateway.caller.request(route.method, pathOf(route), { body: {} });
    expectRefusal(answer, 400, 'VALIDATION_FAILED');
    for (const messages of Object.values(answer.body.details)) expect(messages).toEqual([expect.any(String)]);
  });
});

describe('408 QUERY_TIMEOUT when a service takes too long', () => {
  it.each(endpoints)('%s', async (_name, route) => {
    answerOfServices = () => Promise.reject(new ApiError('QUERY_TIMEOUT'));
    expectRefusal(await call(route), 408, 'QUERY_TIMEOUT');
  });
});

describe('500 INTERNAL_ERROR, and nothing of its cause', () => {
  it.each(endpoints)('%s', async (_name, route) => {
    answerOfServices = () => Promise.reject(new Error('the password is xyzzy'));
    const answer = await call(route);
    // Of a message that may have gone out all the same, 500 would say that it has not.
    if (route.outcomeMayBeOpen) expectRefusal(answer, 408, 'QUERY_TIMEOUT');
    else expectRefusal(answer, 500, 'INTERNAL_ERROR');
    expect(JSON.stringify(answer.body)).not.toContain('xyzzy');
  });
});

describe('409 CONFLICT while the first call with the same idempotency key is running', () => {
  it.each(replayable)('%s', async (name, route) => {
    const [arrived, free] = [gate(), gate()];
    answerOfServices = async () => {
      arrived.open();
      await free.opened;
      throw new ApiError('INTERNAL_ERROR');
    };
    const headers = { 'idempotency-key': name };
    const first = call(route, headers);
    await arrived.opened;
    expectRefusal(await call(route, headers), 409, 'CONFLICT');
    free.open();
    await first;
  });
});
