import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { AiLabelRule, LabelRef } from '@postroom/proto/postroom/v1/resources';
import type { Route } from '../../services/gateway/src/routes/route.ts';
import { routes } from '../../services/gateway/src/routes/table.ts';
import type { Answer, Json } from '../support/client.ts';
import { gate, openLoneGateway, type LoneGateway, type LoneServices } from './lone-gateway.ts';

type Create = (request: { name: string; color: string }, context: { operationId?: string }) => Promise<Json>;

let gateway: LoneGateway;
let services: LoneServices;
let calls: number;
let create: Create;
/** The operation ids of the calls, in order. */
let operations: (string | undefined)[];

const createdLabel: Create = ({ name, color }) =>
  Promise.resolve({ id: `lbl_${calls}`, name, color, isAiLabel: false, createdAt: '2026-01-01T00:00:00.000Z' });

const A_RULE = { name: 'A', color: 'Red', condition: 'an invoice' };
const createdRule = (label: LabelRef): AiLabelRule => ({
  id: 'air_1',
  label,
  condition: A_RULE.condition,
  autoDraftEnabled: false,
  autoReplyEnabled: false,
  autoReplyConfidenceThreshold: 80,
  autoReplyDelayMinutes: 5,
  autoReplyNotifyOnSend: false,
  hideFromInbox: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
});

beforeEach(async () => {
  calls = 0;
  operations = [];
  create = createdLabel;
  const createLabel: Create = (request, context) => {
    calls++;
    operations.push(context.operationId);
    return create(request, context);
  };
  const applyLabel = () =>
    Promise.resolve({ labels: [{ id: 'l', name: `${++calls}`, color: 'Red', isAiLabel: false }] });
  const createAiLabelRule = async () => createdRule((await createLabel(A_RULE, {})) as LabelRef);
  services = { labelRule: { createLabel, createAiLabelRule }, mailboxWrite: { applyLabel } };
  gateway = await openLoneGateway({ services });
});
afterEach(() => gateway.close());

const post = (key: string, body: unknown = { name: 'A', color: 'Red' }, path = '/labels') =>
  gateway.caller.post(path, body, { headers: { 'idempotency-key': key } });
const code = (answer: Answer<Json>) => `${answer.status} ${answer.body?.code ?? ''}`.trim();
const isReplay = (answer: Answer) => answer.headers.get('idempotency-replayed') === 'true';

describe('the same call again', () => {
  it('gets the same status and body, marked as a replay, and runs once', async () => {
    const [first, second] = [await post('k'), await post('k', { color: 'Red', name: 'A' })];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect([isReplay(first), isReplay(second)]).toEqual([false, true]);
    expect(calls).toBe(1);
  });

  it('replays for 24 hours, and then runs again', async () => {
    await post('k');
    const kept = gateway.clock.now() + 24 * 3_600_000;
    gateway.clock.set(kept - 1);
    expect(isReplay(await post('k'))).toBe(true);
    gateway.clock.set(kept);
    expect(isReplay(await post('k'))).toBe(false);
    expect(calls).toBe(2);
  });

  it('replays refusals below 500 too', async () => {
    create = () => Promise.reject(new ApiError('DUPLICATE_TAG_NAME'));
    const [first, second] = [await post('k'), await post('k')];
    expect([code(first), code(second)]).toEqual(['409 DUPLICATE_TAG_NAME', '409 DUPLICATE_TAG_NAME']);
    expect([isReplay(second), calls]).toEqual([true, 1]);
    expect(code(await post('v', {}))).toBe('400 VALIDATION_FAILED');
    expect(isReplay(await post('v', {}))).toBe(true);
  });

  it('runs anew after a 500, which frees the key', async () => {
    create = () => Promise.reject(new Error('out of order'));
    expect(code(await post('k'))).toBe('500 INTERNAL_ERROR');
    create = createdLabel;
    expect([(await post('k')).status, calls]).toEqual([201, 2]);
  });

  it('runs anew after a 408, which says nothing final, and as the same operation', async () => {
    create = () => Promise.reject(new ApiError('QUERY_TIMEOUT'));
    expect(code(await post('k'))).toBe('408 QUERY_TIMEOUT');
    create = createdLabel;
    expect([(await post('k')).status, calls]).toEqual([201, 2]);
    expect(new Set(operations).size).toBe(1);
  });

  it('is another operation with another body, under another key, without a key, and after 24 hours', async () => {
    create = () => Promise.reject(new ApiError('QUERY_TIMEOUT'));
    await post('k');
    await post('k', { name: 'B', color: 'Red' });
    await post('other');
    await post('');
    await post('');
    gateway.clock.set(gateway.clock.now() + 24 * 3_600_000);
    await post('k', { name: 'B', color: 'Red' });
    expect(operations.filter((id) => id !== undefined)).toHaveLength(6);
    expect(new Set(operations).size).toBe(6);
  });

  it('runs anew after a 403, which is never kept', async () => {
    const make = () => post('k', A_RULE, '/ai-label-rules');
    create = () => Promise.reject(new ApiError('OUTBOUND_SEND_NOT_ALLOWED'));
    expect(code(await make())).toBe('403 OUTBOUND_SEND_NOT_ALLOWED');
    create = createdLabel;
    expect((await make()).status).toBe(201);
  });

  it('runs anew after a 429, which comes before the key is looked at', async () => {
    for (let count = 0; count < 60; count++) await gateway.caller.get('/nothing');
    expect((await post('k')).status).toBe(429);
    await gateway.clock.advance(60_000);
    expect([(await post('k')).status, calls]).toEqual([201, 1]);
  });

  it('works without a body, on the label of an email', async () => {
    const path = '/emails/eml_1/labels/lbl_1';
    const [first, second] = [await post('k', undefined, path), await post('k', undefined, path)];
    expect([first.body, isReplay(second), calls]).toEqual([second.body, true, 1]);
  });
});

describe('another call', () => {
  it('409 CONFLICT with another body, every time', async () => {
    await post('k');
    for (let count = 0; count < 3; count++) {
      expect(code(await post('k', { name: 'B', color: 'Red' }))).toBe('409 CONFLICT');
    }
    expect(isReplay(await post('k'))).toBe(true);
  });

  it('is independent on another path and in another workspace', async () => {
    await post('k', undefined, '/emails/eml_1/labels/lbl_1');
    expect(isReplay(await post('k', undefined, '/emails/eml_2/labels/lbl_1'))).toBe(false);
    gateway.workspace.id = 'wsp_2';
    expect(isReplay(await post('k', undefined, '/emails/eml_1/labels/lbl_1'))).toBe(false);
  });

  it('is the same however its URL is spelt', async () => {
    await post('k', undefined, '/emails/eml_1/labels/lbl_1');
    expect(isReplay(await post('k', undefined, '/emails/eml%5F1/labels/lbl%5f1?x=1'))).toBe(true);
    expect(calls).toBe(1);
  });

  it('an empty key is none, 255 characters are a key, 256 are 400 VALIDATION_FAILED', async () => {
    expect([isReplay(await post('')), isReplay(await post(''))]).toEqual([false, false]);
    expect((await post('x'.repeat(255))).status).toBe(201);
    const refused = await post('x'.repeat(256));
    expect(code(refused)).toBe('400 VALIDATION_FAILED');
    expect(refused.body.details).toHaveProperty(['Idempotency-Key']);
  });

  it('a key is as long as its characters, not as the bytes that carry them', async () => {
    const asSent = (text: string) => Buffer.from(text).toString('latin1');
    expect((await post(asSent('é🎉'.repeat(127)))).status).toBe(201);
    expect(code(await post(asSent('é'.repeat(256))))).toBe('400 VALIDATION_FAILED');
  });
});

describe('where the outcome may stay open', () => {
  const openly = (route: Route): Route =>
    route.path === '/labels' ? { ...route, outcomeMayBeOpen: { notBegun: 'no' } } : route;
  const open = (error: 'QUERY_TIMEOUT' | 'CONFLICT') => () => Promise.reject(new ApiError(error));

  beforeEach(async () => {
    await gateway.close();
    gateway = await openLoneGateway({ services, routes: routes.map(openly) });
  });

  it('a 408 leaves the key to its request, which asks again as the same operation until the outcome is known', async () => {
    create = open('QUERY_TIMEOUT');
    expect(code(await post('k'))).toBe('408 QUERY_TIMEOUT');
    create = open('CONFLICT');
    for (let attempt = 0; attempt < 2; attempt++) expect(code(await post('k'))).toBe('409 CONFLICT');
    expect(code(await post('k', { name: 'B', color: 'Red' }))).toBe('409 CONFLICT');
    create = createdLabel;
    expect((await post('k')).status).toBe(201);
    expect(isReplay(await post('k'))).toBe(true);
    expect([calls, new Set(operations).size]).toEqual([4, 1]);
  });
});

describe('calls at once', () => {
  it('of fifty first calls one runs; the others are its replay or 409 CONFLICT', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => post('k')));
    expect(calls).toBe(1);
    const first = answers.filter((answer) => answer.status === 201 && !isReplay(answer));
    expect(first).toHaveLength(1);
    const others = answers.filter((answer) => answer !== first[0]);
    expect(others.filter((answer) => !isReplay(answer) && code(answer) !== '409 CONFLICT')).toEqual([]);
    for (const replay of answers.filter(isReplay)) expect(replay.body).toEqual(first[0]?.body);
    expect(isReplay(await post('k'))).toBe(true);
  });

  it('409 CONFLICT while the first is still running, its replay afterwards', async () => {
    const slow = gate();
    create = (request, context) => slow.opened.then(() => createdLabel(request, context));
    const first = post('k');
    while (calls === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(code(await post('k'))).toBe('409 CONFLICT');
    slow.open();
    expect((await first).status).toBe(201);
    expect(isReplay(await post('k'))).toBe(true);
  });

  it('a call that never came back frees its key within 30 s, for one of those who then try', async () => {
    const lost = gate();
    create = () => lost.opened.then(() => Promise.reject(new Error('too late to matter')));
    const first = post('k');
    while (calls === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    create = createdLabel;
    expect(code(await post('k'))).toBe('409 CONFLICT');
    await gateway.clock.advance(30_000);
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('k')));
    expect(calls).toBe(2);
    expect(answers.filter((answer) => answer.status === 201 && !isReplay(answer))).toHaveLength(1);
    // The one that lost its key must not take the new answer away with it.
    lost.open();
    await first;
    expect(isReplay(await post('k'))).toBe(true);
  });
});
