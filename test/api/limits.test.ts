import { afterEach, describe, expect, it } from '@jest/globals';
import { ApiError } from '@postroom/errors/api-error';
import type { Answer, Json } from '../support/client.ts';
import { FREE, openLoneGateway, type LoneGateway } from './lone-gateway.ts';

let gateway: LoneGateway;
afterEach(() => gateway.close());

const listLabels = () => Promise.resolve({ items: [] });
const labelRule = { listLabels };
const ids = (count: number) => Array.from({ length: count }, (_item, index) => `eml_${index}`);
const bulkMarkRead = ({ emailIds }: { emailIds: string[] }) =>
  Promise.resolve({
    updatedIds: emailIds.slice(0, 3),
    unchangedIds: emailIds.slice(3, 5),
    skippedIds: emailIds.slice(5),
  });

const header = (answer: Answer, name: string) => Number(answer.headers.get(`x-ratelimit-${name}`));
const remaining = (answer: Answer) => header(answer, 'remaining');
const quotaLeft = (answer: Answer) => header(answer, 'quota-remaining');
const code = (answer: Answer<Json>) => `${answer.status} ${answer.body?.code ?? ''}`.trim();
const spend = (units: number) => gateway.limiter.charge(gateway.workspace.id, FREE, units);

describe('the minute', () => {
  it('429 RATE_LIMIT_EXCEEDED past the plan, until the window that the first request opened is over', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const { caller, clock } = gateway;
    const opened = clock.now();
    for (let count = 1; count <= 60; count++) {
      const answer = await caller.get('/labels');
      expect([answer.status, remaining(answer)]).toEqual([200, 60 - count]);
      await clock.advance(100);
    }
    const refused = await caller.get('/labels');
    const resetAt = Math.ceil((opened + 60_000) / 1000);
    expect(code(refused)).toBe('429 RATE_LIMIT_EXCEEDED');
    expect([remaining(refused), header(refused, 'limit'), header(refused, 'reset')]).toEqual([0, 60, resetAt]);
    expect(Number(refused.headers.get('retry-after'))).toBe(54);
    expect(refused.body.details.resetAt).toBe(new Date(resetAt * 1000).toISOString());
    expect(quotaLeft(refused)).toBe(10_000 - 60);

    await clock.advance(53_999);
    expect(code(await caller.get('/labels'))).toBe('429 RATE_LIMIT_EXCEEDED');
    await clock.advance(1);
    expect(remaining(await caller.get('/labels'))).toBe(59);
  });

  it('lets exactly the plan through when 150 come at once', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const answers = await Promise.all(Array.from({ length: 150 }, () => gateway.caller.get('/labels')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(90);
  });

  it('counts every authenticated request: refusals of scope, bodies and paths too', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const { caller, key } = gateway;
    key.scopes = ['read'];
    const answers = [
      await caller.get('/labels'),
      await caller.post('/labels', {}),
      await caller.get('/nothing'),
      await caller.get('/emails?folderType=x'),
    ];
    expect(answers.map(code)).toEqual(['200', '403 INSUFFICIENT_SCOPE', '404 NOT_FOUND', '400 VALIDATION_FAILED']);
    expect(answers.map(remaining)).toEqual([59, 58, 57, 56]);
  });

  it.each([
    ['free', null, 60, 10_000],
    ['premium', null, 300, 200_000],
    ['expert', null, 1_000, 1_000_000],
    ['expert', -1, 60, 10_000],
    ['expert', 1, 1_000, 1_000_000],
  ])('follows the plan in force: %s, ended %s days from now', async (plan, days, perMinute, perMonth) => {
    gateway = await openLoneGateway({ services: { labelRule } });
    gateway.workspace.plan = plan;
    if (days !== null) gateway.workspace.planUntil = new Date(gateway.clock.now() + days * 86_400_000).toISOString();
    const answer = await gateway.caller.get('/labels');
    expect([header(answer, 'limit'), header(answer, 'quota')]).toEqual([perMinute, perMonth]);
  });
});

describe('the month', () => {
  it('429 QUOTA_EXCEEDED when it is used up, with the first of next month; nothing is done', async () => {
    let calls = 0;
    gateway = await openLoneGateway({ services: { labelRule: { listLabels: () => (calls++, listLabels()) } } });
    const { caller, clock } = gateway;
    await spend(9_999);
    expect(quotaLeft(await caller.get('/labels'))).toBe(0);
    const refused = await caller.get('/labels');
    const now = clock.date();
    const nextMonth = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1);
    expect(code(refused)).toBe('429 QUOTA_EXCEEDED');
    expect(refused.body.details).toEqual({ used: 10_000, quota: 10_000, resetAt: new Date(nextMonth).toISOString() });
    expect(header(refused, 'quota-reset')).toBe(nextMonth / 1000);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(calls).toBe(1);

    clock.set(nextMonth);
    expect(quotaLeft(await caller.get('/labels'))).toBe(9_999);
  });

  it('is charged for what passed the scope, and not for what did not', async () => {
    gateway = await openLoneGateway({ services: { labelRule } });
    const { caller, key } = gateway;
    const spent: [string, number][] = [];
    const note = (answer: Answer<Json>) => spent.push([code(answer), 10_000 - quotaLeft(answer)]);
    note(await caller.get('/nothing'));
    note(await caller.get('/emails?folderType=x'));
    note(await caller.post('/labels', {}));
    note(await caller.request('POST', '/labels', { raw: '{' }));
    note(await caller.request('POST', '/labels', { raw: Buffer.alloc(262_145) }));
    key.scopes = ['read'];
    note(await caller.post('/labels', {}));
    expect(spent).toEqual([
      ['404 NOT_FOUND', 1],
      ['400 VALIDATION_FAILED', 2],
      ['400 VALIDATION_FAILED', 3],
      ['400 REQUEST_ERROR', 4],
      ['413 PAYLOAD_TOO_LARGE', 5],
      ['403 INSUFFICIENT_SCOPE', 5],
    ]);
  });
});

describe('a bulk call', () => {
  const markRead = (emailIds: string[]) =>
    gateway.caller.post('/emails/bulk', { action: 'markRead', isRead: true, emailIds });

  it('costs what it processed, and says so in its own headers', async () => {
    gateway = await openLoneGateway({ services: { mailboxWrite: { bulkMarkRead } } });
    const answer = await markRead([...ids(20), ...ids(20)]);
    expect(answer.body).toMatchObject({ updatedIds: ids(3), unchangedIds: ['eml_3', 'eml_4'] });
    expect(quotaLeft(answer)).toBe(10_000 - 5);
    expect(remaining(answer)).toBe(59);
  });

  it('429 QUOTA_EXCEEDED when the month has not room for all of its distinct ids; nothing is charged', async () => {
    gateway = await openLoneGateway({ services: { mailboxWrite: { bulkMarkRead } } });
    await spend(9_981);
    const refused = await markRead(ids(20));
    expect([code(refused), quotaLeft(refused)]).toEqual(['429 QUOTA_EXCEEDED', 19]);
    const taken = await markRead([...ids(19), ...ids(19)]);
    expect([code(taken), quotaLeft(taken)]).toEqual(['200', 14]);
  });

  it('costs one unit when it processed nothing, failed, or was not valid', async () => {
    const noLabel = () => Promise.reject(new ApiError('LABEL_NOT_FOUND'));
    const skipAll = ({ emailIds }: { emailIds: string[] }) =>
      Promise.resolve({ deletedIds: [], skippedIds: emailIds, noTrashIds: [] });
    gateway = await openLoneGateway({ services: { mailboxWrite: { bulkApplyLabel: noLabel, bulkDelete: skipAll } } });
    const post = (body: unknown) => gateway.caller.post('/emails/bulk', body);
    const answers = [
      await post({ action: 'delete', emailIds: ids(30) }),
      await post({ action: 'applyLabel', emailIds: ids(30), labelId: 'lbl_x' }),
      await post({ action: 'applyLabel', emailIds: ids(30) }),
      await post({ action: 'delete', emailIds: ids(501) }),
      await post({ action: 'burn', emailIds: ids(30) }),
    ];
    expect(answers.map(code)).toEqual([
      '200',
      '404 LABEL_NOT_FOUND',
      '400 VALIDATION_FAILED',
      '400 VALIDATION_FAILED',
      '400 VALIDATION_FAILED',
    ]);
    expect(answers.map((answer) => 10_000 - quotaLeft(answer))).toEqual([1, 2, 3, 4, 5]);
  });

  it('costs the same again when it is replayed', async () => {
    gateway = await openLoneGateway({ services: { mailboxWrite: { bulkMarkRead } } });
    const body = { action: 'markRead', isRead: true, emailIds: ids(20) };
    const call = () => gateway.caller.post('/emails/bulk', body, { headers: { 'idempotency-key': 'again' } });
    const [first, second] = [await call(), await call()];
    expect(second.headers.get('idempotency-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);
    expect([quotaLeft(first), quotaLeft(second)]).toEqual([9_995, 9_990]);
  });
});
