import { createHash } from 'node:crypto';
import { LOOP_HEADER } from '@postroom/mime/automatic';

/** RFC 3834: machines answer neither, and a mailbox that meets its own mark knows the mail for its own. */
export function automaticHeaders(how: 'auto-replied' | 'auto-generated', mailboxId: string): Record<string, string> {
  const mark = createHash('sha256').update(mailboxId).digest('hex').slice(0, 32);
  return { 'Auto-Submitted': how, [LOOP_HEADER]: mark };
}
