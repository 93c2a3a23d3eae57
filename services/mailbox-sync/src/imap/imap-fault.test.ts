import { describe, expect, it } from '@jest/globals';
import { toImapFault } from './imap-fault.ts';

const thrown = (fields: object) => Object.assign(new Error('what the provider wrote: secret'), fields);

describe('an answer of a provider', () => {
  it.each([
    ['a wrong password', { authenticationFailed: true, serverResponseCode: 'AUTHENTICATIONFAILED' }, 'refusal'],
    ['a wrong password on an old server', { authenticationFailed: true }, 'refusal'],
    ['a token that is not taken', { authenticationFailed: true, oauthError: { status: '401' } }, 'refusal'],
    ['a password that has run out', { authenticationFailed: true, serverResponseCode: 'EXPIRED' }, 'refusal'],
    ['too many connections', { authenticationFailed: true, serverResponseCode: 'LIMIT' }, 'limit'],
    ['a server in trouble', { authenticationFailed: true, serverResponseCode: 'UNAVAILABLE' }, 'limit'],
    ['a code that nobody knows', { authenticationFailed: true, serverResponseCode: 'XBUSY' }, 'limit'],
    ['throttling', { code: 'ETHROTTLE', throttleReset: 30_000 }, 'limit'],
    ['a command it does not do', { responseStatus: 'NO' }, 'failed'],
    ['a lost connection', { code: 'NoConnection' }, 'network'],
    ['no server', { code: 'ECONNREFUSED' }, 'network'],
    ['a certificate that is not trusted', { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' }, 'network'],
  ])('%s', (_what, fields, kind) => {
    expect(toImapFault(thrown(fields)).kind).toBe(kind);
  });

  it('is not repeated: its text may be about mail', () => {
    expect(
      toImapFault(thrown({ responseStatus: 'NO', code: 'what the provider wrote: secret' })).message,
    ).not.toContain('secret');
  });

  it('says how long it wants to be left alone', () => {
    expect(toImapFault(thrown({ code: 'ETHROTTLE', throttleReset: 30_000 })).restMs).toBe(30_000);
    expect(toImapFault(thrown({ serverResponseCode: 'OVERQUOTA' })).restMs).toBe(86_400_000);
  });

  it('is left alone for a day at most, whatever number it names', () => {
    for (const throttleReset of [3_000_000_000, Infinity])
      expect(toImapFault(thrown({ code: 'ETHROTTLE', throttleReset })).restMs).toBe(86_400_000);
  });
});
