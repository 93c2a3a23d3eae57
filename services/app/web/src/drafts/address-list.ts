import { isAddress } from '@postroom/contract/address';

interface AddressList {
  addresses: string[];
  /** The pieces that are no address. */
  faulty: string[];
}

/** Addresses between commas, semicolons or line breaks. */
export function readAddresses(text: string): AddressList {
  const pieces = text
    .split(/[,;\n]/)
    .map((piece) => piece.trim())
    .filter((piece) => piece !== '');
  return { addresses: pieces.filter(isAddress), faulty: pieces.filter((piece) => !isAddress(piece)) };
}

const NAMED = / \(named “.*”\)$/s;

/** The address alone of one that is shown with the name that leaves with it. */
export const withoutName = (shown: string): string => shown.replace(NAMED, '');
