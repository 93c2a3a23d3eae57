import { createHash } from 'node:crypto';

const FIRST_MS = 5_000;
const LONGEST_MS = 900_000;
const JITTER = 0.3;

/** How long to leave a provider alone after so many failures in a row: mailboxes of one host do not come back as one. */
export function backoffMs(mailboxId: string, failures: number): number {
  const plain = Math.min(LONGEST_MS, FIRST_MS * 2 ** (Math.max(1, failures) - 1));
  return Math.round(plain * (1 + JITTER * (2 * lot(mailboxId, failures) - 1)));
}

/** Between 0 and 1, and the same for the same question, so that a test need not draw lots. */
function lot(mailboxId: string, failures: number): number {
  return createHash('sha256').update(`${mailboxId}:${failures}`).digest().readUInt32BE() / 2 ** 32;
}
