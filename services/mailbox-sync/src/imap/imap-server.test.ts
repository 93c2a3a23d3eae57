import { expect, it } from '@jest/globals';
import { clientOptions } from './imap-server.ts';

const optionsFor = (imapAddress: string, ca?: string) =>
  clientOptions({ imapAddress, user: 'u', password: 'p', ca }, 1_000);

it('TLS begins at once or is insisted on, and is left out only where the address says so', () => {
  expect(optionsFor('imap.example.com:993')).toMatchObject({ host: 'imap.example.com', port: 993, secure: true });
  expect(optionsFor('imap.example.com:143')).toMatchObject({ secure: false, doSTARTTLS: true });
  expect(optionsFor('127.0.0.1:143')).toMatchObject({ secure: false, doSTARTTLS: false });
  expect(optionsFor('127.0.0.1:143', 'PEM')).toMatchObject({ secure: false, doSTARTTLS: true, tls: { ca: 'PEM' } });
});

it('QRESYNC is not used with a provider whose reports of removed messages are known to be wrong', () => {
  expect(optionsFor('imap.example.com:993').qresync).toBe(true);
  expect(optionsFor('IMAP.mail.me.com:993').qresync).toBe(false);
});

it('a token takes the place of a password', () => {
  const options = clientOptions({ imapAddress: 'h:993', user: 'u', accessToken: 't' }, 1_000);
  expect(options.auth).toEqual({ user: 'u', accessToken: 't' });
});
