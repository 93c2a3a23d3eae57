import { describe, expect, it } from '@jest/globals';
import { clientAddress } from './client-address.ts';

const arrived = (forwarded: string | undefined, remoteAddress: string | undefined = '10.0.0.9') =>
  ({ headers: { 'x-forwarded-for': forwarded }, socket: { remoteAddress } }) as never;

describe('the address of a client', () => {
  it.each([
    ['the socket without proxies, whatever the caller claims', '1.2.3.4', 0, '10.0.0.9'],
    ['the last entry behind one proxy', '6.6.6.6, 203.0.113.7', 1, '203.0.113.7'],
    ['the last but one behind two', '6.6.6.6, 203.0.113.7, 10.1.1.1', 2, '203.0.113.7'],
    ['the socket where the proxies have written nothing', undefined, 1, '10.0.0.9'],
    ['the socket where fewer entries than proxies came', '6.6.6.6', 2, '10.0.0.9'],
  ])('is that of %s', (_title, forwarded, proxies, address) => {
    expect(clientAddress(arrived(forwarded), proxies)).toBe(address);
  });

  it('is written without the prefix of mapped addresses, and never at length', () => {
    expect(clientAddress(arrived(undefined, '::ffff:192.0.2.1'), 0)).toBe('192.0.2.1');
    expect(clientAddress(arrived('x'.repeat(500)), 1)).toHaveLength(64);
    expect(clientAddress(arrived(undefined, ''), 0)).toBe('');
  });
});
