import { addressKey } from '@postroom/contract/address';
import { toAsciiDomain } from './smtp/address.ts';

/** Who somebody is, however he writes his address: what stands behind a plus is for himself to choose. */
export function correspondentOf(address: string): string {
  const key = addressKey(toAsciiDomain(address));
  const at = key.lastIndexOf('@');
  const plus = key.slice(0, at).indexOf('+', 1);
  return `${key.slice(0, plus === -1 ? at : plus)}${key.slice(at)}`;
}
