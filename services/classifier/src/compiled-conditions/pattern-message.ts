import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import type { ConditionPattern } from '@postroom/proto/postroom/v1/classifier';
import { applies, stateOf } from './learner.ts';

export function toMessagePattern(pattern: ConditionPatternDocument): ConditionPattern {
  const { _id: id, mailboxId, sender, domain, listId, subject, mailboxIn } = pattern;
  const { hasAttachments, isAuthenticated, confidence, answered, updatedAt } = pattern;
  return {
    id,
    mailboxId,
    sender: sender ?? undefined,
    domain,
    listId: listId ?? undefined,
    subject: subject ?? undefined,
    mailboxIn: mailboxIn ?? undefined,
    hasAttachments,
    isAuthenticated,
    applies: applies(pattern),
    confidence,
    answered,
    isDropped: stateOf(pattern) === 'dropped',
    updatedAt: updatedAt.toISOString(),
  };
}
