import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createAuthenticator } from '../../../../test/support/authenticator.ts';
import { codeOf, type Identity, openIdentity, visitor } from '../../../../test/support/identity.ts';
import { OIDC_CLIENT, type OidcIssuer, openOidcIssuer } from '../../../../test/support/oidc-issuer.ts';

const ORIGIN = 'http://localhost:4000';
const REDIRECT = `${ORIGIN}/app/sign-in/return`;
const TEN_MINUTES = 600_000;

let issuer: OidcIssuer;
let identity: Identity;
beforeAll(async () => {
  issuer = await openOidcIssuer(REDIRECT);
  identity = await openIdentity({ OIDC_ISSUER: issuer.issuer, ...OIDC_CLIENT });
});
beforeEach(async () => {
  issuer.state.forge = undefined;
  await identity.begin();
});
afterAll(async () => {
  await identity.close();
  await issuer.close();
});

let subjects = 0;
/** The person at the provider; a new one each time unless the subject is given. */
const holds = (name: string, verified: unknown = true, subject = `subject-${(subjects += 1)}`) => {
  issuer.state.holder = { subject, email: identity.emailOf(name).toUpperCase(), email_verified: verified };
  return subject;
};
const begin = () => identity.beginOidcSignIn({ redirectUri: REDIRECT, visitor }, {});
const returned = async () => {
  const { url, token } = await begin();
  return { token, query: await issuer.browse(url), visitor };
};
const signIn = async () => identity.signInWithOidc(await returned(), {});
const byLink = async (name: string) => {
  const { token } = await identity.operators.createSignInLink({ email: identity.emailOf(name) }, {});
  return (await identity.acceptLink({ token, visitor }, {})).token;
};
const PASSKEY = {
  _id: 'passkey-of-a-stranger',
  name: 'Phone',
  publicKey: 'AAAA',
  counter: 0,
  transports: [],
  createdAt: new Date(),
  lastUsedAt: null,
};
const refusal = (call: Promise<unknown>) =>
  call.then(
    () => 'OK',
    ({ code, message }) => ({ code: code as string, message: message as string }),
  );
const invite = (name: string) =>
  identity.operators.invitePerson({ ...identity.within(), email: identity.emailOf(name), role: 'member' }, {});

describe('a person of the OpenID Connect provider', () => {
  it('opens the account of the verified address, and later whatever the address has become', async () => {
    const { person } = await identity.joined('olga');
    const subject = holds('olga');
    const first = await signIn();
    expect(first.person?.id).toBe(person?.id);
    holds('another', false, subject);
    const second = await signIn();
    expect(second.person?.id).toBe(person?.id);
    expect((await identity.resolveSession({ token: second.token }, {})).person?.id).toBe(person?.id);
  });

  it('is alone in it from the first sign-in on, because nobody had proven the address before', async () => {
    const { person, session, token } = await identity.withPassword('olga');
    const ids = { personId: person!.id, sessionId: session!.id };
    await identity.collections.passkeys.create({ ...PASSKEY, personId: person!.id });
    holds('olga');
    const first = await signIn();
    expect((await identity.resolveSession({ token }, {})).session).toBeUndefined();
    expect(await codeOf(identity.withPasswordOf('olga'))).toBe('SIGN_IN_REFUSED');
    expect(await codeOf(identity.setPassword({ ...ids, password: 'of a stranger', visitor }, {}))).toBe(
      'SIGN_IN_REQUIRED',
    );
    expect((await identity.listPasskeys({ personId: person!.id }, {})).items).toEqual([]);
    expect((await identity.resolveSession({ token: first.token }, {})).person?.id).toBe(person?.id);
  });

  it('ends the others at the next sign-in when the first was interrupted, and keeps what is set up later', async () => {
    const { person, token } = await identity.joined('olga');
    holds('olga');
    await signIn();
    await identity.collections.oidcAccounts.updateOne({ personId: person!.id }, { $set: { othersEnded: false } });
    const stranger = await byLink('olga');
    await signIn();
    expect((await identity.resolveSession({ token: stranger }, {})).session).toBeUndefined();
    const second = await byLink('olga');
    await signIn();
    expect((await identity.resolveSession({ token: second }, {})).session).toBeDefined();
    expect((await identity.resolveSession({ token }, {})).session).toBeUndefined();
  });

  it('sets up further ways in; a session or passkey of before the proof that was stored late does not', async () => {
    const { person } = await identity.joined('olga');
    const personId = person!.id;
    await identity.collections.people.updateOne({ _id: personId }, { $unset: { proofId: 1 } });
    holds('olga');
    const { session } = await signIn();
    const set = (sessionId: string, password: string, currentPassword?: string) =>
      codeOf(identity.setPassword({ personId, sessionId, password, currentPassword, visitor }, {}));
    expect(await set(session!.id, 'proven and long')).toBe('OK');
    const before = { personId, publicId: 'ses_before', expiresAt: new Date(identity.clock.now() + TEN_MINUTES) };
    const now = { createdAt: new Date(), lastSeenAt: new Date(), address: '', userAgent: '' };
    await identity.collections.sessions.create({ _id: `before ${personId}`, ...before, ...now, proofId: null });
    expect(await set('ses_before', 'of a stranger', 'proven and long')).toBe('CONFLICT');
    const device = createAuthenticator(ORIGIN);
    const { optionsJson } = await identity.beginPasskey({ personId, origin: ORIGIN }, {});
    const asked = {
      personId,
      name: 'Phone',
      origin: ORIGIN,
      responseJson: JSON.stringify(device.create(JSON.parse(optionsJson))),
    };
    expect(await codeOf(identity.addPasskey({ ...asked, sessionId: 'ses_ended' }, {}))).toBe('SIGN_IN_REQUIRED');
    const again = await identity.beginPasskey({ personId, origin: ORIGIN }, {});
    const responseJson = JSON.stringify(device.create(JSON.parse(again.optionsJson)));
    expect(await codeOf(identity.addPasskey({ ...asked, responseJson, sessionId: 'ses_before' }, {}))).toBe('OK');
    const use = await identity.beginPasskeySignIn({ origin: ORIGIN, visitor }, {});
    const used = JSON.stringify(device.use(JSON.parse(use.optionsJson)));
    expect(await codeOf(identity.signInWithPasskey({ responseJson: used, origin: ORIGIN, visitor }, {}))).toBe(
      'SIGN_IN_REFUSED',
    );
  });

  it('accepts the open invitation of the verified address', async () => {
    const { token } = await invite('mia');
    holds('mia');
    const { person } = await signIn();
    expect(person).toMatchObject({ email: identity.emailOf('mia'), memberships: [{ role: 'member' }] });
    expect(await codeOf(identity.acceptLink({ token, visitor }, {}))).toBe('LINK_NOT_VALID');
    expect((await signIn()).person?.id).toBe(person?.id);
  });

  it('both of two sign-ins at once open the account', async () => {
    const { person } = await identity.joined('olga');
    holds('olga');
    const both = [await returned(), await returned()];
    const opened = await Promise.all(both.map((one) => identity.signInWithOidc(one, {})));
    expect(opened.map((one) => one.person?.id)).toEqual([person?.id, person?.id]);
  });

  it('401 SIGN_IN_REFUSED in the same words, with an account or without, when the address is unknown or not verified', async () => {
    await identity.joined('olga');
    await invite('mia');
    const asks: [string, unknown][] = [
      ['stranger', true],
      ['stranger', false],
      ['olga', false],
      ['olga', 'true'],
      ['mia', null],
    ];
    const refusals = [];
    for (const [name, verified] of asks) {
      holds(name, verified);
      refusals.push(await refusal(signIn()));
    }
    expect(new Set(refusals.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(refusals[0]).toMatchObject({ code: 'SIGN_IN_REFUSED', message: expect.stringContaining('No account here') });
  });

  it('401 SIGN_IN_REFUSED for another subject with the address of a linked account', async () => {
    await identity.joined('olga');
    holds('olga');
    await signIn();
    holds('olga');
    expect(await refusal(signIn())).toMatchObject({ code: 'SIGN_IN_REFUSED' });
  });

  it('401 SIGN_IN_REFUSED for an invitation that has expired', async () => {
    await invite('mia');
    holds('mia');
    identity.clock.set(identity.clock.now() + 7 * 24 * 3_600_000);
    expect(await refusal(signIn())).toMatchObject({ code: 'SIGN_IN_REFUSED' });
  });
});

describe('an attacker', () => {
  beforeEach(async () => {
    await identity.joined('olga');
    holds('olga');
  });

  it('401 SIGN_IN_REFUSED for a second answer of one sign-in, with the same code or with another', async () => {
    const first = await returned();
    await identity.signInWithOidc(first, {});
    expect(await codeOf(identity.signInWithOidc(first, {}))).toBe('SIGN_IN_REFUSED');
    const other = await returned();
    expect(await codeOf(identity.signInWithOidc({ ...first, query: other.query }, {}))).toBe('SIGN_IN_REFUSED');
  });

  it('401 SIGN_IN_REFUSED for the code and state of another browser, and the provider is not asked', async () => {
    const [mine, theirs] = [await returned(), await returned()];
    const asked = issuer.state.tokenRequests;
    expect(await codeOf(identity.signInWithOidc({ ...mine, query: theirs.query }, {}))).toBe('SIGN_IN_REFUSED');
    expect(issuer.state.tokenRequests).toBe(asked);
  });

  it('401 SIGN_IN_REFUSED for a foreign code under the own state, because its PKCE verifier is another', async () => {
    const [mine, theirs] = [await returned(), await returned()];
    const query = new URLSearchParams(mine.query);
    query.set('code', new URLSearchParams(theirs.query).get('code') ?? '');
    expect(await codeOf(identity.signInWithOidc({ ...mine, query: `?${query.toString()}` }, {}))).toBe(
      'SIGN_IN_REFUSED',
    );
  });

  it('401 SIGN_IN_REFUSED for the answer of another issuer', async () => {
    const mine = await returned();
    const query = new URLSearchParams(mine.query);
    query.set('iss', 'https://evil.example');
    expect(await codeOf(identity.signInWithOidc({ ...mine, query: `?${query.toString()}` }, {}))).toBe(
      'SIGN_IN_REFUSED',
    );
  });

  it('401 SIGN_IN_REFUSED after ten minutes', async () => {
    const mine = await returned();
    identity.clock.set(identity.clock.now() + TEN_MINUTES);
    expect(await codeOf(identity.signInWithOidc(mine, {}))).toBe('SIGN_IN_REFUSED');
  });

  it.each<[string, Record<string, unknown>, Record<string, unknown>]>([
    ['without a signature', { alg: 'none' }, {}],
    ['with a foreign nonce', {}, { nonce: 'theirs' }],
    ['without a nonce', {}, { nonce: undefined }],
    ['for another client', {}, { aud: 'another' }],
    ['of another issuer', {}, { iss: 'https://evil.example' }],
    ['that has expired', {}, { exp: 1_700_000_000 }],
    ['of a key that the provider does not name', { kid: 'another' }, {}],
  ])('401 SIGN_IN_REFUSED for an id token %s', async (_what, header, claims) => {
    issuer.state.forge = (token) => ({
      header: { ...token.header, ...header },
      claims: { ...token.claims, ...claims },
    });
    expect(await codeOf(signIn())).toBe('SIGN_IN_REFUSED');
  });

  it('401 SIGN_IN_REFUSED for an id token whose signature does not fit', async () => {
    issuer.state.forge = (token) => ({ ...token, header: { ...token.header, alg: 'RS384' } });
    expect(await codeOf(signIn())).toBe('SIGN_IN_REFUSED');
  });

  it('429 RATE_LIMIT_EXCEEDED when many sign-ins of one address fail', async () => {
    const guess = () => identity.signInWithOidc({ token: 'oidc_guess', query: '?code=a', visitor }, {});
    const codes = [];
    for (let n = 0; n < 110; n += 1) codes.push(await codeOf(guess()));
    expect(codes).toContain('RATE_LIMIT_EXCEEDED');
  });
});

describe('the provider', () => {
  it('is named for the page of sign-in', async () => {
    expect(await identity.getSignInWays({}, {})).toEqual({ oidcName: 'Acme' });
  });

  it("is asked for a code with PKCE, and nothing that is stored opens the browser's sign-in", async () => {
    const { url, token } = await begin();
    const params = Object.fromEntries(new URL(url).searchParams);
    expect(params).toMatchObject({ response_type: 'code', code_challenge_method: 'S256', redirect_uri: REDIRECT });
    expect(params['state']).toBeTruthy();
    expect(params['nonce']).toBeTruthy();
    expect(JSON.stringify(await identity.collections.oidcSignIns.find({}).lean())).not.toContain(token);
  });
});

describe('a provider that keeps the address out of the id token', () => {
  it('is asked for it, and 500 INTERNAL_ERROR says so while it is unavailable', async () => {
    const shy = await openOidcIssuer(REDIRECT, { isEmailInIdToken: false });
    const other = await openIdentity({ OIDC_ISSUER: shy.issuer, ...OIDC_CLIENT });
    try {
      await other.begin();
      const { person } = await other.joined('olga');
      shy.state.holder = { subject: 'olga', email: other.emailOf('olga'), email_verified: true };
      const ask = () => other.beginOidcSignIn({ redirectUri: REDIRECT, visitor }, {});
      shy.state.isDown = true;
      expect(await refusal(ask())).toEqual({
        code: 'INTERNAL_ERROR',
        message: 'The sign-in with Acme cannot be reached now. Try again in a minute, or sign in another way.',
      });
      shy.state.isDown = false;
      const { url, token } = await ask();
      const signedIn = await other.signInWithOidc({ token, query: await shy.browse(url), visitor }, {});
      expect(signedIn.person?.id).toBe(person?.id);
    } finally {
      await other.close();
      await shy.close();
    }
  });
});
