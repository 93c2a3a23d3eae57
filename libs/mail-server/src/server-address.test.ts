import { describe, expect, it } from '@jest/globals';
import { isExplicit, serverAt } from './server-address.ts';

describe('the address of a mail server', () => {
  it.each([
    ['mail.example.com:993', 'mail.example.com', 993, 'tls'],
    ['mail.example.com:465', 'mail.example.com', 465, 'tls'],
    ['mail.example.com:143', 'mail.example.com', 143, 'starttls'],
    ['mail.example.com:587', 'mail.example.com', 587, 'starttls'],
    ['imaps://mail.example.com:1993', 'mail.example.com', 1993, 'tls'],
    ['smtp://mail.example.com:465', 'mail.example.com', 465, 'starttls'],
    ['127.0.0.1:143', '127.0.0.1', 143, 'plain'],
    ['[::1]:587', '::1', 587, 'plain'],
    ['localhost:993', 'localhost', 993, 'tls'],
    ['127.0.0.1.example.com:143', '127.0.0.1.example.com', 143, 'starttls'],
  ])('%s', (address, host, port, security) => {
    expect(serverAt(address)).toEqual({ host, port, security });
  });

  it('is spoken to in the clear nowhere once an authority is named', () => {
    expect(serverAt('127.0.0.1:143', 'PEM')).toMatchObject({ security: 'starttls' });
  });

  it('tells by its port or its scheme when TLS begins', () => {
    expect(['h:993', 'imaps://h:1', 'imap://h:1'].map(isExplicit)).toEqual([true, true, true]);
    expect(['h:143', 'h:1993'].map(isExplicit)).toEqual([false, false]);
  });

  it.each(['mail.example.com', 'https://h:1', 'h:x', 'a:b:c'])('is refused as %s', (address) => {
    expect(() => serverAt(address)).toThrow();
  });
});
