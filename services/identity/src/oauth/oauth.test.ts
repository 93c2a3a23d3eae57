import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { HOUR, type Identity, ISSUER, openIdentity, RESOURCE } from '../../../../test/support/identity.ts';
import { oauthClient, REDIRECT, resolve } from '../../../../test/support/oauth-client.ts';

let identity: Identity;
beforeAll(async () => {
  identity = await openIdentity();
});
beforeEach(() => identity.begin());
afterAll(() => identity.close());

const workspaceId = () => identity.within().workspaceId;
const signedIn = async (name = 'olga', role = 'owner') => {
  const { token, person } = await identity.joined(name, role);
  return { ...oauthClient(identity, token), person: person! };
};
const isAlive = async (accessToken: string) => (await resolve(identity, accessToken)).grant !== undefined;
const levelsOn = (text: string) => [...text.matchAll(/type="radio"[^>]*value="(\w+)"/g)].map(([, level]) => level);

describe('a client', () => {
  it('gets tokens for the workspace, scopes and level that the person chose', async () => {
    const client = await signedIn();
    const { back, access_token, refresh_token, scope } = await client.allow(workspaceId(), 'reply');
    expect(`${back.origin}${back.pathname}`).toBe(REDIRECT);
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ state: 'st', iss: ISSUER });
    expect(access_token).toMatch(/^mt_[\w-]{43}$/);
    expect(refresh_token).toBeTruthy();
    expect(scope).toBe('read write');
    const { grant, workspace, resource, expiresAt } = await resolve(identity, access_token);
    const personId = client.person.id;
    expect(grant).toMatchObject({ personId, clientName: 'Helper', scopes: ['read', 'write'], level: 'reply' });
    expect(workspace).toMatchObject({ id: workspaceId(), planInForce: 'expert' });
    expect(resource).toBe(RESOURCE);
    expect(Date.parse(expiresAt!) - identity.clock.now()).toBe(HOUR);
    const told = { workspaceId: workspaceId(), action: 'grant.given' };
    expect(await identity.collections.auditEntries.find(told).lean()).toMatchObject([
      {
        actor: { kind: 'person', id: personId, address: '203.0.113.9' },
        target: { id: grant!.id, name: 'Helper, reply' },
        outcome: 'done',
      },
    ]);
  });

  it('is seen and ended by an operator, who needs no role', async () => {
    const { access_token } = await (await signedIn()).allow(workspaceId(), 'send');
    const { items } = await identity.operators.listEveryGrant({ workspaceId: workspaceId() }, {});
    expect(items).toMatchObject([{ clientName: 'Helper', level: 'send' }]);
    const asked = { workspaceId: workspaceId(), grantId: items[0]!.id };
    const foreign = { ...asked, workspaceId: await identity.newWorkspace() };
    await expect(identity.operators.endGrant(foreign, {})).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await isAlive(access_token)).toBe(true);
    await identity.operators.endGrant(asked, {});
    expect(await isAlive(access_token)).toBe(false);
  });

  it('reads the metadata of RFC 8414, whatever host a request names', async () => {
    const client = oauthClient(identity);
    const headers = { host: 'evil.example', 'x-forwarded-host': 'evil.example' };
    const metadata = (await client.ask('/.well-known/oauth-authorization-server', { headers })).json();
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      authorization_endpoint: `${ISSUER}/oauth/authorize`,
      token_endpoint: `${ISSUER}/oauth/token`,
      registration_endpoint: `${ISSUER}/oauth/register`,
      revocation_endpoint: `${ISSUER}/oauth/revoke`,
      scopes_supported: expect.arrayContaining(['read', 'write']),
      response_types_supported: ['code'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(JSON.stringify(metadata)).not.toContain('evil');
  });

  it('has access for an hour, and a new pair of tokens for each refresh', async () => {
    const client = await signedIn();
    const first = await client.allow(workspaceId());
    identity.clock.set(identity.clock.now() + HOUR);
    expect(await isAlive(first.access_token)).toBe(false);
    const second = (await client.refresh(first.clientId, first.refresh_token)).json();
    expect(second['refresh_token']).not.toBe(first.refresh_token);
    expect(second).toMatchObject({ token_type: 'Bearer', expires_in: 3_600, scope: 'read write' });
    expect(await isAlive(String(second['access_token']))).toBe(true);
  });

  it('has no more scopes than it asked for when it refreshed', async () => {
    const client = await signedIn();
    const { clientId, refresh_token } = await client.allow(workspaceId(), 'send');
    const narrow = (await client.refresh(clientId, refresh_token, { scope: 'read' })).json();
    const { grant } = await resolve(identity, String(narrow['access_token']));
    expect([narrow['scope'], grant?.scopes]).toEqual(['read', ['read']]);
  });

  it('400 invalid_grant when a refresh token is used again, which ends every token of the grant', async () => {
    const client = await signedIn();
    const first = await client.allow(workspaceId());
    const second = (await client.refresh(first.clientId, first.refresh_token)).json();
    expect((await client.refresh(first.clientId, first.refresh_token)).json()).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await isAlive(first.access_token)).toBe(false);
    expect(await isAlive(String(second['access_token']))).toBe(false);
    const again = await client.refresh(first.clientId, String(second['refresh_token']));
    expect([again.status, again.json()['error']]).toEqual([400, 'invalid_grant']);
  });

  it('keeps no token when two calls use one refresh token at once', async () => {
    const client = await signedIn();
    const { clientId, refresh_token } = await client.allow(workspaceId());
    const both = await Promise.all([client.refresh(clientId, refresh_token), client.refresh(clientId, refresh_token)]);
    const given = both.flatMap((one) => (one.json()['access_token'] as string | undefined) ?? []);
    expect(given.length).toBeLessThan(2);
    expect(await Promise.all(given.map(isAlive))).not.toContain(true);
  });

  it('ends the whole grant when it revokes one of its tokens', async () => {
    const client = await signedIn();
    for (const kind of ['access_token', 'refresh_token'] as const) {
      const tokens = await client.allow(workspaceId());
      expect((await client.revoke(tokens.clientId, tokens[kind])).status).toBe(200);
      expect(await isAlive(tokens.access_token)).toBe(false);
      expect((await client.refresh(tokens.clientId, tokens.refresh_token)).status).toBe(400);
    }
  });

  it('cannot revoke the tokens of another client', async () => {
    const client = await signedIn();
    const [mine, other] = [await client.allow(workspaceId()), await client.allow(workspaceId())];
    await client.revoke(other.clientId, mine.access_token);
    expect(await isAlive(mine.access_token)).toBe(true);
  });

  it('429 after at most 300 registrations from one address within an hour, and not for another address', async () => {
    const client = oauthClient(identity);
    const register = (address: string) =>
      client.ask('/oauth/register', { json: { redirect_uris: [REDIRECT] }, address }).then(({ status }) => status);
    expect(await register('198.51.100.1')).toBe(201);
    await identity.collections.signInAttempts.updateMany({ _id: /^registration:/ }, { $set: { count: 299 } });
    await register('198.51.100.1');
    expect(await register('198.51.100.1')).toBe(429);
    expect(await register('198.51.100.2')).toBe(201);
    identity.clock.set(identity.clock.now() + HOUR);
    expect(await register('198.51.100.1')).toBe(201);
  });

  it('leaves no token, code or session in the database', async () => {
    const client = await signedIn();
    const { access_token, refresh_token, code } = await client.allow(workspaceId());
    const stored = JSON.stringify(await identity.collections.oauthRecords.find().lean());
    for (const secret of [access_token, refresh_token, code]) expect(stored).not.toContain(secret);
  });
});

describe('the page that asks', () => {
  it('names the client, the host it returns to and the person, and offers the levels with drafts set', async () => {
    const client = await signedIn();
    const { client_id } = await client.register({
      client_name: 'Helper <b>&',
      redirect_uris: ['https://app.helper.example/back'],
    });
    const { page } = await client.begin(String(client_id), { redirect_uri: 'https://app.helper.example/back' });
    expect(page.status).toBe(200);
    expect(page.text).toContain('Helper &lt;b&gt;&amp;');
    expect(page.text).toContain('<strong>app.helper.example</strong>');
    expect(page.text).toContain(identity.emailOf('olga'));
    expect(levelsOn(page.text)).toEqual(['read', 'drafts', 'approve', 'reply', 'send']);
    expect([...page.text.matchAll(/value="(\w+)" checked/g)].map(([, value]) => value)).toEqual(['drafts']);
  });

  it('offers a member approve at most, and takes no more from them', async () => {
    const client = await signedIn('mia', 'member');
    const { client_id } = await client.register();
    const { path, page } = await client.begin(String(client_id));
    expect(levelsOn(page.text)).toEqual(['read', 'drafts', 'approve']);
    expect((await client.decide(path, { decision: 'allow', workspace: workspaceId(), level: 'send' })).status).toBe(
      400,
    );
  });

  it('offers no level where read alone is asked for', async () => {
    const client = await signedIn();
    const { client_id } = await client.register();
    const { path, page } = await client.begin(String(client_id), { scope: 'read' });
    expect(levelsOn(page.text)).toEqual([]);
    const back = await client.finish(
      await client.decide(path, { decision: 'allow', workspace: workspaceId(), level: 'send' }),
    );
    const tokens = (await client.exchange(String(client_id), back.searchParams.get('code') ?? '')).json();
    expect(tokens['scope']).toBe('read');
    expect((await resolve(identity, String(tokens['access_token']))).grant).toMatchObject({
      level: 'read',
      scopes: ['read'],
    });
  });

  it('gives the scope read alone with the level read', async () => {
    const client = await signedIn();
    const { scope, access_token } = await client.allow(workspaceId(), 'read');
    expect(scope).toBe('read');
    expect((await resolve(identity, access_token)).grant?.scopes).toEqual(['read']);
  });

  it('comes each time, also for a client that was let in before', async () => {
    const client = await signedIn();
    const { clientId } = await client.allow(workspaceId());
    const { path, page } = await client.begin(clientId);
    expect(path).toMatch(/^\/oauth\/consent\//);
    expect(page.text).toContain('Allow');
    const silent = await client.ask(client.authorizeUrl(clientId, { prompt: 'none' }));
    expect(new URL(silent.header('location')!).searchParams.get('error')).toBe('consent_required');
  });

  it('sends somebody without a session to the sign-in, and back', async () => {
    const client = oauthClient(identity);
    const { client_id } = await client.register();
    const { path, page } = await client.begin(String(client_id));
    expect([page.status, page.header('location')]).toEqual([303, `/app/sign-in?next=${encodeURIComponent(path)}`]);
    const { token } = await identity.joined('olga');
    client.jar.set('postroom_session', { value: token, path: '/' });
    expect((await client.ask(path)).text).toContain('Helper');
  });

  it('asks the person who is signed in now, after somebody else used the same browser', async () => {
    const client = await signedIn();
    await client.allow(workspaceId());
    const mia = await identity.joined('mia', 'admin');
    client.jar.set('postroom_session', { value: mia.token, path: '/' });
    const { access_token } = await client.allow(workspaceId());
    expect((await resolve(identity, access_token)).grant?.personId).toBe(mia.person?.id);
  });

  it('tells the client when the person says no', async () => {
    const client = await signedIn();
    const { client_id } = await client.register();
    const { path } = await client.begin(String(client_id));
    const back = await client.finish(await client.decide(path, { decision: 'deny' }));
    expect(Object.fromEntries(back.searchParams)).toMatchObject({ error: 'access_denied', state: 'st' });
    expect((await identity.listGrants({ actorId: client.person.id }, identity.within())).items).toEqual([]);
  });
});

describe('grants', () => {
  const grantsFor = async (actorId: string) =>
    (await identity.listGrants({ actorId }, identity.within())).items.map(({ personId }) => personId).toSorted();

  it('are seen and ended by owners and admins, and by members their own', async () => {
    const [olga, mia] = [await signedIn(), await signedIn('mia', 'member')];
    const [ofOlga, ofMia] = [await olga.allow(workspaceId()), await mia.allow(workspaceId())];
    expect(await grantsFor(olga.person.id)).toEqual([olga.person.id, mia.person.id].toSorted());
    expect(await grantsFor(mia.person.id)).toEqual([mia.person.id]);
    const idOf = async (token: string) => (await resolve(identity, token)).grant!.id;
    const end = async (actorId: string, token: string) =>
      identity.revokeGrant({ actorId, grantId: await idOf(token) }, identity.within());
    await expect(end(mia.person.id, ofOlga.access_token)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await end(olga.person.id, ofMia.access_token);
    expect([await isAlive(ofOlga.access_token), await isAlive(ofMia.access_token)]).toEqual([true, false]);
    expect((await mia.refresh(ofMia.clientId, ofMia.refresh_token)).status).toBe(400);
  });

  it('of another workspace are neither seen nor ended', async () => {
    const olga = await signedIn();
    const { access_token } = await olga.allow(workspaceId());
    const { id: grantId } = (await resolve(identity, access_token)).grant!;
    await identity.newWorkspace();
    const other = await identity.joined('other');
    expect(await grantsFor(other.person!.id)).toEqual([]);
    const foreign = identity.revokeGrant({ actorId: other.person!.id, grantId }, identity.within());
    await expect(foreign).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await isAlive(access_token)).toBe(true);
  });

  it('end with the membership of their person, for good, and sink with the role', async () => {
    const [olga, mia] = [await signedIn(), await signedIn('mia', 'admin')];
    const { access_token, refresh_token, clientId } = await mia.allow(workspaceId(), 'send');
    const who = { actorId: olga.person.id, personId: mia.person.id };
    await identity.changeRole({ ...who, role: 'member' }, identity.within());
    expect((await resolve(identity, access_token)).grant?.level).toBe('approve');
    await identity.removeMember(who, identity.within());
    expect(await isAlive(access_token)).toBe(false);
    identity.clock.set(identity.clock.now() + 1_000);
    const { token } = await identity.inviteMember(
      { actorId: olga.person.id, email: mia.person.email, role: 'admin' },
      identity.within(),
    );
    await identity.acceptInvitation({ token, personId: mia.person.id }, {});
    expect(await isAlive(access_token)).toBe(false);
    expect((await mia.refresh(clientId, refresh_token)).status).toBe(400);
  });
});
