import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, type Identity, ISSUER, openIdentity } from '../../../../test/support/identity.ts';
import { oauthClient, REDIRECT, resolve } from '../../../../test/support/oauth-client.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

const workspaceId = () => identity.within().workspaceId;
const signedIn = async (name = 'olga') => oauthClient(identity, (await identity.joined(name)).token);
const allowed = () => ({ decision: 'allow', workspace: workspaceId(), level: 'send' });
const isAlive = async (accessToken: string) => (await resolve(identity, accessToken)).grant !== undefined;

describe('an attacker', () => {
  it.each([
    ['another host', 'https://evil.example/callback'],
    ['another path', 'http://127.0.0.1:7777/callback/../evil'],
    ['another path behind it', 'http://127.0.0.1:7777/callback/evil'],
    ['a user in front of the host', 'http://127.0.0.1:7777@evil.example/callback'],
    ['a longer host', 'http://127.0.0.1.evil.example:7777/callback'],
    ['a query of its own', 'http://127.0.0.1:7777/callback?next=https://evil.example'],
    ['a fragment', 'http://127.0.0.1:7777/callback#evil'],
    ['a backslash', 'http://127.0.0.1:7777\\@evil.example/callback'],
    ['no address', undefined],
  ])('is sent nowhere with %s as the address to return to', async (_what, redirect) => {
    const client = await signedIn();
    const { client_id } = await client.register({ redirect_uris: [REDIRECT, 'http://127.0.0.1:7777/other'] });
    const answer = await client.ask(client.authorizeUrl(String(client_id), { redirect_uri: redirect }));
    expect([answer.status, answer.header('location')]).toEqual([400, undefined]);
    expect(answer.header('content-type')).toContain('text/plain');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'http://evil.example/', 'https://a.example/#x'])(
    'registers no client that returns to %s',
    async (uri) => {
      const client = oauthClient(identity);
      const answer = await client.ask('/oauth/register', { json: { redirect_uris: [uri] } });
      expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_redirect_uri']);
    },
  );

  it('gets nothing for a code that was used, and what it was used for ends', async () => {
    const client = await signedIn();
    const { clientId, code, access_token } = await client.allow(workspaceId());
    expect((await client.exchange(clientId, code)).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await isAlive(access_token)).toBe(false);
  });

  it('gets nothing for a code with another verifier, client or address, nor without a verifier', async () => {
    const client = await signedIn();
    const other = String((await client.register())['client_id']);
    const codeOf = async () => {
      const clientId = String((await client.register())['client_id']);
      const { path } = await client.begin(clientId);
      return {
        clientId,
        code: (await client.finish(await client.decide(path, allowed()))).searchParams.get('code') ?? '',
      };
    };
    const faulty: Record<string, string>[] = [
      { code_verifier: 'a'.repeat(43) },
      { client_id: other },
      { redirect_uri: 'http://127.0.0.1:7777/other' },
      { code_verifier: '' },
    ];
    for (const extra of faulty) {
      const { clientId, code } = await codeOf();
      const answer = await client.exchange(clientId, code, extra);
      expect([answer.status, answer.json()['access_token']]).toEqual([400, undefined]);
    }
  });

  it.each([
    ['without a challenge', { code_challenge: undefined, code_challenge_method: undefined }],
    ['with the plain method', { code_challenge_method: 'plain' }],
    ['without a method', { code_challenge_method: undefined }],
    ['for tokens in the address', { response_type: 'token' }],
  ])('asks in vain %s', async (_what, extra) => {
    const client = await signedIn();
    const { client_id } = await client.register();
    const answer = await client.ask(client.authorizeUrl(String(client_id), extra));
    expect(answer.header('location') ?? answer.text).toMatch(/error=invalid_request|error=unsupported_response_type/);
  });

  it('gets no token for another resource', async () => {
    const client = await signedIn();
    const { client_id } = await client.register();
    const answer = await client.ask(client.authorizeUrl(String(client_id), { resource: 'https://evil.example/mcp' }));
    expect(new URL(answer.header('location')!).searchParams.get('error')).toBe('invalid_target');
  });

  it.each([
    ['a foreign origin', { origin: 'https://evil.example' }],
    ['no origin', {}],
    ['an origin of null', { origin: 'null' }],
    ['a request from another site', { 'sec-fetch-site': 'cross-site' }],
  ])('answers in nobody’s name: 403 with %s', async (_what, headers) => {
    const client = await signedIn();
    const { client_id } = await client.register();
    const { path } = await client.begin(String(client_id));
    expect((await client.decide(path, allowed(), headers)).status).toBe(403);
    expect(await identity.collections.grants.countDocuments({ workspaceId: workspaceId() })).toBe(0);
  });

  it('answers no question that began in another browser', async () => {
    const [victim, attacker] = [await signedIn('olga'), await signedIn('mallory')];
    const { client_id } = await attacker.register();
    const { path } = await attacker.begin(String(client_id));
    expect((await victim.ask(path)).status).toBe(400);
    expect((await victim.decide(path, allowed())).status).toBe(400);
  });

  it('answers no question with the cookie of another one', async () => {
    const client = await signedIn();
    const { client_id } = await client.register();
    await client.begin(String(client_id));
    const cookie = ['postroom_session', '_interaction']
      .map((name) => `${name}=${client.jar.get(name)?.value}`)
      .join('; ');
    const { path } = await client.begin(String(client_id));
    expect((await client.decide(path, allowed(), { origin: ISSUER, cookie })).status).toBe(400);
    expect(await identity.collections.grants.countDocuments({ workspaceId: workspaceId() })).toBe(0);
  });

  it('puts the page into no frame and runs nothing on it', async () => {
    const client = await signedIn();
    const { client_id } = await client.register({ client_name: '<script>alert(1)</script>' });
    const { page } = await client.begin(String(client_id));
    expect(page.header('x-frame-options')).toBe('DENY');
    const policy = page.header('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("base-uri 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:7777");
    expect(policy).not.toContain('unsafe');
    expect(page.text).not.toContain('<script');
    expect(page.header('cache-control')).toBe('no-store');
  });

  it('hides nothing in the name of a client', async () => {
    const client = await signedIn();
    const name = `Ben\u202Eign\u200B\n${'x'.repeat(500)}`;
    const { client_id } = await client.register({ client_name: name });
    const { page } = await client.begin(String(client_id));
    expect(page.text).toContain(`Benign ${'x'.repeat(73)}<`);
  });

  it('lets nobody into a workspace that the person is no member of', async () => {
    const client = await signedIn();
    const mine = workspaceId();
    const foreign = await identity.newWorkspace();
    const { client_id } = await client.register();
    const { path } = await client.begin(String(client_id));
    expect((await client.decide(path, { ...allowed(), workspace: foreign })).status).toBe(400);
    expect((await client.decide(path, { ...allowed(), workspace: mine })).status).toBe(303);
  });

  it('gets nothing in the name of a member who was removed between the answer and the exchange', async () => {
    const olga = await identity.joined('olga');
    const mia = await identity.joined('mia');
    const client = oauthClient(identity, mia.token);
    const clientId = String((await client.register())['client_id']);
    const { path } = await client.begin(clientId);
    const back = await client.finish(await client.decide(path, allowed()));
    await identity.removeMember({ actorId: olga.person!.id, personId: mia.person!.id }, identity.within());
    const answer = await client.exchange(clientId, back.searchParams.get('code') ?? '');
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
  });

  it.each([
    ['https://127.0.0.1/client.json'],
    ['https://169.254.169.254/latest/meta-data'],
    ['https://[::ffff:10.0.0.1]/client.json'],
    ['https://localhost/client.json'],
    ['https://identity.postroom.svc.cluster.local/client.json'],
    ['https://clients.example:8443/client.json'],
    ['https://user@clients.example/client.json'],
    ['http://clients.example/client.json'],
  ])('makes the server ask no inside address for the document of a client: %s', async (clientId) => {
    const client = await signedIn();
    const answer = await client.ask(client.authorizeUrl(clientId));
    expect([answer.status, answer.header('location')]).toEqual([400, undefined]);
    expect(answer.text).toContain('invalid_client');
    expect(answer.text).not.toMatch(/ECONN|127\.0|169\.254|10\.0/);
  });

  it('keeps no access for longer than a year, however often it refreshes', async () => {
    const client = await signedIn();
    const { clientId, refresh_token } = await client.allow(workspaceId());
    let tokens = { refresh_token, access_token: '' };
    for (const days of [80, 80, 80, 80, 44.99]) {
      identity.clock.set(identity.clock.now() + days * 24 * HOUR);
      tokens = (await client.refresh(clientId, tokens.refresh_token)).json() as typeof tokens;
    }
    expect(await isAlive(tokens.access_token)).toBe(true);
    identity.clock.set(identity.clock.now() + HOUR / 2);
    expect(await isAlive(tokens.access_token)).toBe(false);
  });

  it('reaches no page of the library but those that are meant', async () => {
    const client = oauthClient(identity);
    const paths = ['/oauth/introspect', '/oauth/me', '/oauth/end', '/oauth/device', '/oauth/request', '/oauth/nothing'];
    const answers = await Promise.all(paths.map((path) => client.ask(path)));
    expect(answers.map(({ status }) => status)).toEqual(paths.map(() => 404));
    expect(
      (await client.ask('/oauth/token', { form: { grant_type: 'client_credentials', client_id: 'x' } })).status,
    ).toBe(401);
  });
});
