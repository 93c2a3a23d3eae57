import { toRanges } from '@postroom/mail-server/uid-ranges';

/** As many at a time as a command line takes. */
const LARGEST = 1_000;

export function* inUidBatches(uids: readonly number[]): Generator<readonly number[]> {
  for (let from = 0; from < uids.length; from += LARGEST) yield uids.slice(from, from + LARGEST);
}

/** As IMAP writes a set of UIDs: `4,7:9`. */
export function uidSetOf(uids: readonly number[]): string {
  return toRanges(uids)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}:${last}`))
    .join(',');
}
