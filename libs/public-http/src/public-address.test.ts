import { describe, expect, it } from '@jest/globals';
import { isPublicAddress } from './public-address.ts';

describe('an address that everybody can reach', () => {
  it.each([
    '1.1.1.1',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.0',
    '11.0.0.1',
    '100.63.255.255',
    '100.128.0.0',
    '169.253.1.1',
    '192.167.1.1',
    '198.17.255.255',
    '198.20.0.0',
    '223.255.255.254',
    '2606:4700::1111',
    '2a00:1450:4001:81b::200e',
    '::ffff:1.1.1.1',
    '64:ff9b::101:101',
    '2002:101:101::1',
  ])('%s is public', (address) => expect(isPublicAddress(address)).toBe(true));

  it.each([
    ['this host', '0.0.0.0', '0.1.2.3', '::'],
    ['loopback', '127.0.0.1', '127.255.255.254', '::1'],
    ['private', '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
    ['shared by carriers', '100.64.0.1', '100.100.100.200', '100.127.255.255'],
    ['link-local, where clouds keep their metadata', '169.254.169.254', '169.254.0.1', 'fe80::1', 'febf::1'],
    ['of a cloud, inside', '168.63.129.16', '192.0.0.192', 'fd00:ec2::254'],
    ['unique local and site-local', 'fc00::1', 'fdff::1', 'fec0::1'],
    ['multicast', '224.0.0.1', '239.255.255.255', 'ff02::1', 'ff0e::1'],
    ['broadcast and reserved', '255.255.255.255', '240.0.0.1', '192.0.0.8'],
    ['of documents and benchmarks', '192.0.2.1', '198.51.100.1', '203.0.113.1', '198.18.0.1', '198.19.255.255'],
    ['of documents, IPv6', '2001:db8::1', '3fff::1', '2001:2::1'],
    ['outside of what is assigned', '4000::1', '5f00::1', '100::1', '::2', '1::1', 'e000::1'],
    ['the old relay of 6to4', '192.88.99.1'],
    ['IPv4-mapped', '::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:169.254.169.254', '::ffff:7f00:1'],
    ['IPv4-compatible', '::127.0.0.1', '::10.0.0.1', '::a00:1', '::1.1.1.1'],
    ['translated', '::ffff:0:10.0.0.1', '64:ff9b::10.0.0.1', '64:ff9b::7f00:1', '64:ff9b::a9fe:a9fe'],
    ['translated inside a site', '64:ff9b:1::10.0.0.1', '64:ff9b:1::1.1.1.1'],
    ['6to4', '2002:7f00:1::1', '2002:a00:1::1', '2002:a9fe:a9fe::1', '2002:c0a8:101::1'],
    ['Teredo', '2001:0:a00:1::fefe:fefe', '2001:0:101:101::f5ff:fffe', '2001:0:101:101::80ff:fffe'],
    ['ISATAP', '2606:4700::5efe:10.0.0.1', '2606:4700::200:5efe:7f00:1'],
  ])('%s is not', (_what, ...addresses) => {
    expect(addresses.filter(isPublicAddress)).toEqual([]);
  });

  it.each(['', 'example.com', '1.1.1', '0x7f.1', '010.0.0.1', '1.1.1.1/24', '[2606:4700::1]', 'fe80::1%eth0'])(
    '%j is none at all',
    (text) => expect(isPublicAddress(text)).toBe(false),
  );
});
