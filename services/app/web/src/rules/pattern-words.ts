import type { ConditionPatternAnswer } from '@postroom/app/answers';

const RECIPIENTS = { to: 'to this mailbox', cc: 'with this mailbox in Cc', neither: 'not addressed to this mailbox' };

/** The facts of a pattern beside its sender and subject. */
export function patternFacts(pattern: ConditionPatternAnswer): string {
  const { listId, mailboxIn, hasAttachments, isAuthenticated } = pattern;
  return [
    ...(listId === null ? [] : [`list ${listId}`]),
    ...(mailboxIn === null ? [] : [RECIPIENTS[mailboxIn]]),
    hasAttachments ? 'with attachments' : 'without attachments',
    isAuthenticated ? 'sender confirmed' : 'sender not confirmed',
  ].join(', ');
}

export function patternSubject({ subject }: ConditionPatternAnswer): string {
  if (subject === null) return 'Any subject';
  return subject === '' ? 'No subject' : `Subject "${subject}"`;
}

export const patternSender = ({ sender, domain }: ConditionPatternAnswer): string =>
  sender ?? `Any address of ${domain}`;
