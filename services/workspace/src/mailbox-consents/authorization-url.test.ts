import { expect, it } from '@jest/globals';
import { authorizationUrl } from './authorization-url.ts';
import { openConsentClients } from './consent-clients.ts';

const clients = openConsentClients(
  { GMAIL_CLIENT_ID: 'c', MICROSOFT365_CLIENT_ID: 'c', MICROSOFT365_AUTHORIZATION_URL: 'https://login.example/a?b=c' },
  { changes: { on: () => undefined } },
);
const request = {
  state: 's',
  nonce: 'n',
  // The example of RFC 7636, appendix B.
  codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
  redirectUri: 'https://mail.example/back',
  loginHint: undefined,
};
const asked = (id: string, changes: object = {}) => {
  const client = clients.find(id);
  if (!client) throw new Error(id);
  return new URL(authorizationUrl(client, { ...request, ...changes }));
};

it('asks Google for mail and lasting access, with PKCE', () => {
  const url = asked('gmail', { loginHint: 'ann@gmail.test' });
  expect(url.origin + url.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    access_type: 'offline',
    prompt: 'consent',
    response_type: 'code',
    client_id: 'c',
    redirect_uri: 'https://mail.example/back',
    scope: 'openid email https://mail.google.com/',
    state: 's',
    nonce: 'n',
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
    login_hint: 'ann@gmail.test',
  });
});

it('asks Microsoft for IMAP, SMTP and offline access, at the configured address', () => {
  const { href, searchParams } = asked('microsoft365');
  expect(href).toMatch(/^https:\/\/login\.example\/a\?b=c&/);
  expect(searchParams.get('scope')).toBe(
    'openid profile offline_access https://outlook.office.com/IMAP.AccessAsUser.All https://outlook.office.com/SMTP.Send',
  );
  expect(searchParams.has('login_hint')).toBe(false);
});
