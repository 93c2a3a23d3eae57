import { describe, expect, it } from '@jest/globals';
import { changesByHand } from '@postroom/runtime/changes-by-hand.test-support';
import { secretOf } from '@postroom/secrets/secret';
import { type ConsentClientSettings, openConsentClients } from './consent-clients.ts';

const open = (settings: ConsentClientSettings) => {
  const { changes, say } = changesByHand();
  return { clients: openConsentClients(settings, { changes }), say };
};
const google = { GMAIL_CLIENT_ID: 'c', GMAIL_CLIENT_SECRET: 'canary' };
const grant = { tokenEndpoint: 'https://oauth2.googleapis.com/token', clientId: 'c', refreshToken: secretOf('r') };

describe('the clients at providers', () => {
  it('are those that are configured, at the addresses of the provider or at the given ones', () => {
    const { clients } = open({ ...google, MICROSOFT365_TOKEN_URL: 'https://login.example/tenant/token' });
    expect(clients.list().map(({ id, isConfigured }) => [id, isConfigured])).toEqual([
      ['gmail', true],
      ['microsoft365', false],
    ]);
    expect(clients.find('gmail')).toMatchObject({
      tokenEndpoint: grant.tokenEndpoint,
      imapAddress: 'imap.gmail.com:993',
    });
    expect([clients.find('microsoft365'), clients.find('constructor')]).toEqual([undefined, undefined]);
    const own = { MICROSOFT365_CLIENT_ID: 'c', MICROSOFT365_TOKEN_URL: 'https://login.example/tenant/token' };
    expect(open(own).clients.find('microsoft365')).toMatchObject({ tokenEndpoint: own.MICROSOFT365_TOKEN_URL });
  });

  it('add their present secret to their own grants, and to no other', async () => {
    const { clients, say } = open(google);
    expect(clients.withSecret(grant).clientSecret?.reveal()).toBe('canary');
    await say('GMAIL_CLIENT_SECRET', 'next');
    expect(clients.withSecret(grant).clientSecret?.reveal()).toBe('next');
    const own = { ...grant, clientSecret: secretOf('own') };
    expect(clients.withSecret(own).clientSecret?.reveal()).toBe('own');
    for (const foreign of [{ clientId: 'another' }, { tokenEndpoint: 'https://evil.example/token' }])
      expect(clients.withSecret({ ...grant, ...foreign }).clientSecret).toBeUndefined();
  });

  it('take the address of an account only where the provider vouches for it', () => {
    const { clients } = open({ ...google, MICROSOFT365_CLIENT_ID: 'c' });
    const claims = {
      aud: 'c',
      nonce: 'n',
      exp: 1,
      email: 'victim@acme.example',
      preferred_username: 'me@evil.example',
    };
    expect(clients.find('microsoft365')?.addressIn(claims)).toBe('me@evil.example');
    expect(clients.find('gmail')?.addressIn(claims)).toBeUndefined();
    expect(clients.find('gmail')?.addressIn({ ...claims, email_verified: true })).toBe('victim@acme.example');
  });
});
