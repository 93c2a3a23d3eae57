import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type AppPeople, openAppPeople, PASSWORD_IN_APP } from '../support/app-client.ts';
import { createAuthenticator } from '../support/authenticator.ts';
import { OIDC_CLIENT, type OidcIssuer, openOidcIssuer } from '../support/oidc-issuer.ts';
import { useStack } from '../support/use-stack.ts';

let issuer: OidcIssuer;
const variables: Record<string, string> = {};
beforeAll(async () => {
  issuer = await openOidcIssuer();
  Object.assign(variables, { OIDC_ISSUER: issuer.issuer, ...OIDC_CLIENT });
});
const stack = useStack({ beside: ['app'], variables });
let people: AppPeople;
let workspaceId: string;
beforeAll(async () => {
  people = await openAppPeople(stack);
  issuer.state.redirectUri = `${people.origin}/app/sign-in/return`;
});
beforeEach(async () => {
  ({ id: workspaceId } = await stack.workspaces.createWorkspace({ name: 'Acme', plan: 'expert' }, {}));
});
afterAll(async () => {
  await people.close();
  await issuer.close();
});

const owner = () => people.joined(workspaceId, 'owner');
const withPassword = async () => {
  const person = await owner();
  const { status } = await person.call('PUT', '/account/password', { body: { password: PASSWORD_IN_APP } });
  expect(status).toBe(204);
  return person;
};
const signIn = (email: string, password = PASSWORD_IN_APP) => {
  const browser = people.browser();
  return browser.call('POST', '/session', { body: { email, password } }).then((answer) => ({ ...answer, browser }));
};

describe('POST /session', () => {
  it('200 with a new session in a cookie that scripts cannot read', async () => {
    const { email } = await withPassword();
    const { status, json, headers, browser } = await signIn(email);
    expect(status).toBe(200);
    expect(json.person).toMatchObject({ email, memberships: [{ workspaceId, role: 'owner' }] });
    const [cookie] = headers.getSetCookie();
    expect(cookie).toMatch(/^postroom_session=\w+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect(JSON.stringify(json)).not.toContain(browser.cookie.split('=')[1]);
    expect((await browser.call('GET', '/session')).json.person.email).toBe(email);
  });

  it('200 with another token than the one that the browser brought, which opens nothing', async () => {
    const { email } = await withPassword();
    const browser = people.browser();
    browser.cookie = 'postroom_session=session_chosenByTheAttacker';
    await browser.call('POST', '/session', { body: { email, password: PASSWORD_IN_APP } });
    expect(browser.cookie).not.toContain('chosenByTheAttacker');
    browser.cookie = 'postroom_session=session_chosenByTheAttacker';
    expect((await browser.call('GET', '/session')).json.person).toBeNull();
  });

  it('401 SIGN_IN_REFUSED in the same bytes for a wrong password and an unknown address', async () => {
    const { email } = await withPassword();
    const [wrong, unknown] = [await signIn(email, 'another password'), await signIn('nobody@acme.example')];
    expect(wrong).toMatchObject({ status: 401, json: { code: 'SIGN_IN_REFUSED' } });
    expect(unknown.text).toBe(wrong.text);
    expect(Object.keys(Object.fromEntries(unknown.headers))).toEqual(Object.keys(Object.fromEntries(wrong.headers)));
  });
});

describe('POST /session/oidc', () => {
  it('leads to the provider that the page names, and back to a session of the same browser', async () => {
    const { email, personId } = await owner();
    issuer.state.holder = { subject: personId, email, email_verified: true };
    const browser = people.browser();
    expect((await browser.call('GET', '/session')).json.oidcName).toBe(OIDC_CLIENT.OIDC_NAME);
    const { url, token } = (await browser.call('POST', '/session/oidc', { body: {} })).json;
    const body = { token, query: await issuer.browse(url) };
    const foreign = await browser.call('POST', '/session/oidc/finish', { body, headers: { origin: issuer.issuer } });
    expect(foreign).toMatchObject({ status: 403, json: { code: 'FOREIGN_ORIGIN' } });
    const finished = await browser.call('POST', '/session/oidc/finish', { body });
    expect(finished).toMatchObject({ status: 200, json: { person: { id: personId } } });
    expect(finished.headers.getSetCookie()[0]).toMatch(/^postroom_session=\w+; Path=\/; HttpOnly; SameSite=Lax$/);
    expect((await browser.call('GET', '/session')).json).toMatchObject({ person: { email }, oidcName: null });
    expect((await people.browser().call('POST', '/session/oidc/finish', { body })).status).toBe(401);
  });
});

describe('DELETE /session', () => {
  it('204, and the token of the cookie opens nothing any more', async () => {
    const person = await owner();
    const { cookie } = person;
    expect((await person.call('DELETE', '/session')).status).toBe(204);
    expect(person.cookie).toBe('');
    const other = people.browser();
    other.cookie = cookie;
    expect((await other.call('GET', '/account/sessions')).status).toBe(401);
  });
});

describe('a link', () => {
  it('410 LINK_NOT_VALID when an invitation is used a second time, read or accepted', async () => {
    const { token } = await people.operators.invitePerson(
      { workspaceId, email: 'guest@acme.example', role: 'member' },
      {},
    );
    const read = () => people.browser().call('POST', '/links/read', { body: { token } });
    const accept = () => people.browser().call('POST', '/links/accept', { body: { token } });
    expect((await read()).json.link).toMatchObject({ kind: 'invitation', role: 'member', workspaceName: 'Acme' });
    expect((await accept()).status).toBe(200);
    expect([(await accept()).json.code, (await read()).json.code]).toEqual(['LINK_NOT_VALID', 'LINK_NOT_VALID']);
  });

  it('409 SIGN_IN_FIRST when somebody else opens the invitation of a person who has an account', async () => {
    const invitee = await owner();
    const { id: other } = await stack.workspaces.createWorkspace({ name: 'Other', plan: 'expert' }, {});
    const { token } = await people.operators.invitePerson(
      { workspaceId: other, email: invitee.email, role: 'owner' },
      {},
    );
    const stranger = await people.browser().call('POST', '/links/accept', { body: { token } });
    expect(stranger).toMatchObject({ status: 409, json: { code: 'SIGN_IN_FIRST' } });
    const thief = await owner();
    expect((await thief.call('POST', '/invitations/accept', { body: { token } })).json.code).toBe('LINK_NOT_VALID');
    const { json } = await invitee.call('POST', '/invitations/accept', { body: { token } });
    expect(json.person.memberships).toHaveLength(2);
  });

  it('joins a workspace with the role of the invitation that an owner made', async () => {
    const inviter = await owner();
    const body = { email: 'mia@acme.example', role: 'member' };
    const { status, json } = await inviter.call('POST', `${inviter.workspace}/invitations`, { body });
    expect(status).toBe(201);
    expect(json.link).toMatch(new RegExp(`^${people.origin}/app/link#\\w+$`));
    const invitee = people.browser();
    await invitee.call('POST', '/links/accept', { body: { token: json.link.split('#')[1] } });
    const { items } = (await inviter.call('GET', `${inviter.workspace}/members`)).json;
    expect(items).toMatchObject([{ role: 'owner' }, { email: 'mia@acme.example', role: 'member' }]);
  });
});

describe('sessions', () => {
  it('are listed with the present one, and end one by one', async () => {
    const { email, ...first } = await withPassword();
    const { browser: second } = await signIn(email);
    const { items } = (await second.call('GET', '/account/sessions')).json;
    expect(items.map(({ isCurrent }: { isCurrent: boolean }) => isCurrent)).toEqual([false, true]);
    expect((await second.call('DELETE', `/account/sessions/${items[0].id}`)).status).toBe(204);
    const stolen = people.browser();
    stolen.cookie = first.cookie;
    expect((await stolen.call('GET', '/account/sessions')).status).toBe(401);
  });
});

describe('a passkey', () => {
  const added = async () => {
    const person = await owner();
    const device = createAuthenticator(people.origin);
    const { json } = await person.call('POST', '/account/passkeys/options', { body: {} });
    const response = device.create(json.options);
    const answer = await person.call('POST', '/account/passkeys', { body: { name: 'Laptop', response } });
    return { person, device, response, answer };
  };
  const asked = async (browser = people.browser()) =>
    (await browser.call('POST', '/session/passkey/options', { body: {} })).json.options;
  const use = (response: unknown, browser = people.browser()) =>
    browser.call('POST', '/session/passkey', { body: { response } });

  it('is added and signs its person in, with a new session', async () => {
    const { person, device, answer } = await added();
    expect(answer).toMatchObject({ status: 201, json: { passkey: { name: 'Laptop', lastUsedAt: null } } });
    const browser = people.browser();
    expect(await use(device.use(await asked()), browser)).toMatchObject({
      status: 200,
      json: { person: { email: person.email } },
    });
    expect((await browser.call('GET', '/account/sessions')).json.items).toHaveLength(2);
    const { items } = (await person.call('GET', '/account/passkeys')).json;
    expect(items).toMatchObject([{ id: device.id, lastUsedAt: expect.any(String) }]);
  });

  it('401 SIGN_IN_REFUSED when an answer comes again, when its challenge is another, or when nobody knows it', async () => {
    const { device } = await added();
    const answer = device.use(await asked());
    expect((await use(answer)).status).toBe(200);
    const refused = { status: 401, json: { code: 'SIGN_IN_REFUSED' } };
    expect(await use(answer)).toMatchObject(refused);
    expect(await use(device.use({ challenge: 'chosen', rpId: 'localhost' }))).toMatchObject(refused);
    expect(await use(createAuthenticator(people.origin).use(await asked()))).toMatchObject(refused);
    expect(await use({})).toMatchObject(refused);
  });

  it('401 SIGN_IN_REFUSED for an answer that another origin asked for', async () => {
    const { person, device } = await added();
    const foreign = createAuthenticator('https://evil.example');
    const { json } = await person.call('POST', '/account/passkeys/options', { body: {} });
    const made = await person.call('POST', '/account/passkeys', { body: { response: foreign.create(json.options) } });
    expect(made.status).toBe(401);
    const wrongHost = device.use({ ...(await asked()), rpId: 'evil.example' });
    expect((await use(wrongHost)).status).toBe(401);
  });

  it('401 SIGN_IN_REFUSED when the challenge of one person is answered by another', async () => {
    const [olga, adam] = [await owner(), await owner()];
    const { json } = await olga.call('POST', '/account/passkeys/options', { body: {} });
    const response = createAuthenticator(people.origin).create(json.options);
    expect((await adam.call('POST', '/account/passkeys', { body: { response } })).status).toBe(401);
  });

  it('signs nobody in once it is removed', async () => {
    const { person, device } = await added();
    expect((await person.call('DELETE', `/account/passkeys/${device.id}`)).status).toBe(204);
    expect((await use(device.use(await asked()))).status).toBe(401);
  });
});
