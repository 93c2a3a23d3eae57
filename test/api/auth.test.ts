import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { manualClock } from '@postroom/runtime/clock';
import { startStack, type TestStack } from '../support/stack.ts';
import type { TestWorkspace } from '../support/workspace.ts';

const clock = manualClock(Date.now());
let stack: TestStack;
let home: TestWorkspace;

beforeAll(async () => {
  stack = await startStack({ clock, redisUrl: undefined });
  home = await stack.workspace();
});
afterAll(() => stack.close());

const limitHeaders = (headers: Headers) => [...headers.keys()].filter((name) => name.startsWith('x-ratelimit-'));

describe('401', () => {
  const good = `mk_${'a1B2'.repeat(10)}`;
  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['another scheme', `Basic ${good}`],
    ['no scheme', good],
    ['another prefix', `Bearer xk_${'a'.repeat(40)}`],
    ['a key that is too short', `Bearer mk_${'a'.repeat(39)}`],
    ['a key that is too long', `Bearer mk_${'a'.repeat(41)}`],
    ['a sign in the key', `Bearer mk_${'a'.repeat(39)}-`],
    ['a key that does not exist', `Bearer ${good}`],
  ])('INVALID_API_KEY for %s, without rate limit headers', async (_what, authorization) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const answer = await stack.client().get('/labels', { headers });
    expect(answer).toMatchObject({ status: 401, body: { code: 'INVALID_API_KEY' } });
    expect(limitHeaders(answer.headers)).toEqual([]);
    expect(answer.headers.get('x-request-id')).toMatch(/^req_/);
  });

  it('INVALID_API_KEY for a cookie, whatever is in it', async () => {
    const answer = await stack.client().get('/labels', { headers: { cookie: `session=${home.keys.read}` } });
    expect(answer.body.code).toBe('INVALID_API_KEY');
  });

  it('API_KEY_REVOKED within seconds of the revocation', async () => {
    const key = await home.createKey({ scopes: ['read'] });
    const caller = stack.client(key.secret);
    expect((await caller.get('/labels')).status).toBe(200);
    await stack.workspaces.revokeKey({ workspaceId: home.id, keyId: key.id }, {});
    await clock.advance(6_000);
    const answer = await caller.get('/labels');
    expect(answer).toMatchObject({ status: 401, body: { code: 'API_KEY_REVOKED' } });
    expect(limitHeaders(answer.headers)).toEqual([]);
  });

  it('API_KEY_EXPIRED to the millisecond, saying since when', async () => {
    const expiresAt = new Date(clock.now() + 3_000).toISOString();
    const caller = stack.client((await home.createKey({ scopes: ['read'], expiresAt })).secret);
    await clock.advance(2_999);
    expect((await caller.get('/labels')).status).toBe(200);
    await clock.advance(1);
    const answer = await caller.get('/labels');
    expect(answer).toMatchObject({ status: 401, body: { code: 'API_KEY_EXPIRED', details: { expiredAt: expiresAt } } });
    expect(limitHeaders(answer.headers)).toEqual([]);
  });
});

describe('403', () => {
  it('WORKSPACE_SUSPENDED while it is suspended, whichever the key, and nothing is counted', async () => {
    const other = await stack.workspace({ plan: 'premium' });
    await other.read.get('/labels');
    await stack.workspaces.suspendWorkspace({ workspaceId: other.id }, {});
    await clock.advance(6_000);
    for (const caller of [other.read, other.write, other.send]) {
      const answer = await caller.post('/labels', { name: 'A', color: 'Red' });
      expect(answer).toMatchObject({ status: 403, body: { code: 'WORKSPACE_SUSPENDED' } });
      expect(limitHeaders(answer.headers)).toHaveLength(6);
      expect(answer.headers.get('x-ratelimit-quota-remaining')).toBe('199999');
    }
    await stack.workspaces.resumeWorkspace({ workspaceId: other.id }, {});
    await clock.advance(6_000);
    expect((await other.read.get('/labels')).status).toBe(200);
  });

  it('INSUFFICIENT_SCOPE says what is needed and what the key has', async () => {
    const answer = await home.read.post('/labels', { name: 'A', color: 'Red' });
    expect(answer).toMatchObject({
      status: 403,
      body: { code: 'INSUFFICIENT_SCOPE', details: { required: 'write', granted: ['read'] } },
    });
    expect(limitHeaders(answer.headers)).toHaveLength(6);
  });

  it('INSUFFICIENT_SCOPE when a key may write and not read', async () => {
    const key = await home.createKey({ scopes: ['write'] });
    expect((await stack.client(key.secret).get('/labels')).body).toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      details: { required: 'read', granted: ['write'] },
    });
  });

  it('INSUFFICIENT_SCOPE comes before a body is looked at', async () => {
    const answer = await home.read.request('POST', '/labels', { raw: '{"not json' });
    expect(answer.body.code).toBe('INSUFFICIENT_SCOPE');
  });
});

describe('a key', () => {
  it.each(['bearer', 'BEARER', 'bEaReR'])('is taken with the scheme written %s, as HTTP has it', async (scheme) => {
    const authorization = `${scheme} ${home.keys.read}`;
    expect((await stack.client().get('/labels', { headers: { authorization } })).status).toBe(200);
  });

  it('reaches its own workspace alone: a foreign label answers as an unknown one', async () => {
    const foreign = await stack.workspace();
    const { body } = await foreign.write.post('/labels', { name: 'Theirs', color: 'Red' });
    const ofForeign = await home.write.get(`/labels/${body.label.id}`);
    const ofUnknown = await home.write.get('/labels/lbl_0000000000000000000000');
    expect(ofForeign.status).toBe(404);
    expect(ofForeign.body).toEqual(ofUnknown.body);
  });
});
