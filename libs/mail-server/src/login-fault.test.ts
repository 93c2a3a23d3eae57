import { expect, it } from '@jest/globals';
import { loginFaultOf } from './login-fault.ts';

it.each([
  ['host_not_found', Object.assign(new Error('getaddrinfo ENOTFOUND mail.invalid'), { code: 'EDNS' })],
  ['unreachable', Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:1'), { code: 'ESOCKET' })],
  ['unknown_authority', Object.assign(new Error('self-signed certificate in certificate chain'), { code: 'ESOCKET' })],
  ['unknown_authority', Object.assign(new Error('x'), { code: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' })],
  ['wrong_name', new Error("Hostname/IP does not match certificate's altnames: IP: 10.0.0.1 is not in the list")],
  ['expired_certificate', Object.assign(new Error('certificate has expired'), { code: 'ETLS' })],
  ['no_tls', Object.assign(new Error('Server does not support STARTTLS'), { code: 'ETLS' })],
  ['no_tls', Object.assign(new Error('write EPROTO SSL routines:wrong version number'), { code: 'EPROTO' })],
  ['too_slow', Object.assign(new Error('Greeting never received'), { code: 'ETIMEDOUT' })],
  ['unreachable', new Error('not now', { cause: Object.assign(new Error('read'), { code: 'ECONNRESET' }) })],
  ['other', 'a text'],
])('%s is told by what the error says', (fault, error) => {
  expect(loginFaultOf(error)).toBe(fault);
});
