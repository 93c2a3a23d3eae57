import { describe, expect, it } from '@jest/globals';
import { clientOptions, serverAt } from './imap-server.ts';

describe('the way to a mail server', () => {
  it('is encrypted from the first byte on 993', () => {
    expect(serverAt({ imapAddress: 'imap.example.com:993' })).toMatchObject({ secure: true, doSTARTTLS: false });
  });

  it('is encrypted by STARTTLS elsewhere, without which nothing is said', () => {
    const options = clientOptions({ imapAddress: 'imap.example.com:143', user: 'u', password: 'p' }, 1_000);
    expect(options).toMatchObject({ host: 'imap.example.com', port: 143, secure: false, doSTARTTLS: true });
  });

  it('is in the clear on this machine alone, and not there either where an authority is named', () => {
    expect(serverAt({ imapAddress: '127.0.0.1:143' })).toMatchObject({ secure: false, doSTARTTLS: false });
    expect(serverAt({ imapAddress: '[::1]:143' })).toMatchObject({ host: '::1', doSTARTTLS: false });
    expect(serverAt({ imapAddress: '127.0.0.1:143', ca: 'PEM' })).toMatchObject({ doSTARTTLS: true });
    expect(serverAt({ imapAddress: '127.0.0.1.example.com:143' })).toMatchObject({ doSTARTTLS: true });
  });
});
