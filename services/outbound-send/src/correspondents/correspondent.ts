import { addressKey } from '@postroom/contract/address';
import { toAsciiDomain } from '../addresses/address.ts';

/** The identity behind an address, without the part after a plus, which its owner chooses freely. */
export function correspondentOf(address: string): string {
  const key = addressKey(toAsciiDomain(address));
  const at = key.lastIndexOf('@');
  const plus = key.slice(0, at).indexOf('+', 1);
  return `${key.slice(0, plus === -1 ? at : plus)}${key.slice(at)}`;
}
