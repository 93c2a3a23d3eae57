import { createHash } from 'node:crypto';
import type { ParsedMail } from '../parse/parsed-mail.ts';

/** The provider's own name for a message is worth most; what it says serves where the provider had no name for it. */
export type Identities = [first: string, ...others: string[]];

/**
 * What the copies of one message have in common, wherever their provider keeps them. Mail without a Message-ID may read
 * like another one: there the traces of its way count, too, which a copy has as the first one does.
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
