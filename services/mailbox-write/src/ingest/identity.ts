import { createHash } from 'node:crypto';
import type { ParsedMail } from '../parse/parsed-mail.ts';

/** The provider's id of a message identifies it best. Its content does when the provider gives no id. */
export type Identities = [first: string, ...others: string[]];

/**
 * The identity that all copies of one message share. Two messages without a Message-ID may have the same text, so for them
 * the trace headers count, too; a copy has those of the original.
 */
export function identitiesOf(
  mail: Pick<ParsedMail, 'digest' | 'hasOwnMessageId'>,
  raw: Buffer,
  providerId: string,
): Identities {
  const content = mail.hasOwnMessageId ? mail.digest : `${mail.digest}:${headerHash(raw)}`;
  return providerId === '' ? [`content:${content}`] : [`provider:${providerId}`, `content:${content}`];
}

function headerHash(raw: Buffer): string {
  const ends = [raw.indexOf('\r\n\r\n'), raw.indexOf('\n\n')].filter((end) => end !== -1);
  const header = raw.toString('latin1', 0, ends.length === 0 ? raw.length : Math.min(...ends));
  return createHash('sha256').update(header.replaceAll('\r\n', '\n'), 'latin1').digest('hex').slice(0, 16);
}
