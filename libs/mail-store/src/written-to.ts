import { addressKey } from '@postroom/contract/address';
import type { EmailDocument } from './documents/email.ts';

type Recipients = Pick<EmailDocument, 'to' | 'cc' | 'bcc'>;

/** The addresses that mail of the mailbox itself is written to; undefined for mail of others. A draft is not sent yet, and may be. */
export function writtenToOf(
  folderType: EmailDocument['folderType'],
  { to, cc, bcc }: Recipients,
): string[] | undefined {
  if (folderType !== 'SENT' && folderType !== 'DRAFTS') return undefined;
  return [...new Set([...to, ...cc, ...bcc].map(({ email }) => addressKey(email)))].filter((key) => key !== '');
}
