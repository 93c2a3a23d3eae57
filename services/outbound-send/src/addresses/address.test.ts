import { expect, it } from '@jest/globals';
import { toAsciiDomain } from './address.ts';

it.each([
  ['ann@b\u00fccher.example', 'ann@xn--bcher-kva.example'],
  ['ann@Acme.Example', 'ann@acme.example'],
  ['ann@127.1', 'ann@127.1'],
  ['ann@0x7f.1', 'ann@0x7f.1'],
  ['ann@\uff11\uff12\uff17.1', 'ann@\uff11\uff12\uff17.1'],
])('the domain of %s is written as that of %s, and never as another host', (address, written) => {
  expect(toAsciiDomain(address)).toBe(written);
});
