import { createHash } from 'node:crypto';
import { isPublicProvider } from '@postroom/contract/public-providers';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { ConditionPatternDocument } from '@postroom/mail-store/documents/pattern';
import { foldCase } from '@postroom/mail-store/fold';

export type MatchedEmail = Pick<
  EmailDocument,
  | '_id'
  | 'mailboxId'
  | 'senderAddress'
  | 'senderDomain'
  | 'subject'
  | 'attachments'
  | 'isAutomatic'
  | 'failsDmarc'
  | 'listId'
  | 'mailboxIn'
  | 'authentication'
>;

/** The facts that every email of a pattern has. */
export type PatternFacts = Pick<
  ConditionPatternDocument,
  | 'mailboxId'
  | 'scope'
  | 'sender'
  | 'domain'
  | 'listId'
  | 'subject'
  | 'mailboxIn'
  | 'hasAttachments'
  | 'isAuthenticated'
>;

/** A pattern that an email has. */
export interface EmailPattern {
  facts: PatternFacts;
  /** The digest of what the email has beside these facts: different ones show that it does not matter. */
  witness: string;
}

const LONGEST_SHAPE = 120;
const HAS_DIGIT = /\d/;

/**
 * The patterns of an email, the most specific first. Mail that people write has none, because a person may write anything
 * next, nor does mail with a forged sender. Senders of a public provider have only their address in common with themselves.
 */
export function patternsOf(email: MatchedEmail): EmailPattern[] {
  const { senderAddress: sender, senderDomain: domain, listId = null, authentication } = email;
  if (!email.isAutomatic || email.failsDmarc || sender === '' || domain === '') return [];
  const subject = subjectShape(email.subject);
  const shared = {
    mailboxId: email.mailboxId,
    domain,
    mailboxIn: email.mailboxIn ?? null,
    hasAttachments: email.attachments.length > 0,
    isAuthenticated: authentication?.dmarc === 'pass',
  };
  const patterns: EmailPattern[] = [
    { facts: { ...shared, scope: 'subject', sender, listId, subject }, witness: digestOf(email._id) },
    { facts: { ...shared, scope: 'sender', sender, listId, subject: null }, witness: digestOf(subject) },
  ];
  if (isPublicProvider(domain)) return patterns;
  const witness = digestOf(sender);
  const ofDomain = { ...shared, sender: null, subject: null };
  if (listId !== null) patterns.push({ facts: { ...ofDomain, scope: 'list', listId }, witness });
  patterns.push({ facts: { ...ofDomain, scope: 'domain', listId: null }, witness });
  return patterns;
}

/** The words of a subject. Numbers, and words with digits such as "#4711" and "2026-03-01", are all the same. */
export function subjectShape(subject: string): string {
  const words = foldCase(subject).slice(0, LONGEST_SHAPE).split(' ');
  return words.map((word) => (HAS_DIGIT.test(word) ? '#' : word)).join(' ');
}

/** Another condition, or one that was switched on anew, learns from nothing. */
export function versionOf({ condition, compiledSince }: { condition: string; compiledSince: Date }): string {
  return digestOf(JSON.stringify([condition, compiledSince.toISOString()]));
}

export function patternIdOf(workspaceId: string, ruleId: string, version: string, facts: PatternFacts): string {
  const { mailboxId, scope, sender, domain, listId, subject, mailboxIn, hasAttachments, isAuthenticated } = facts;
  // Mail of no list had this empty text once, and its patterns are still there.
  const list = sender === null ? listId : (listId ?? '');
  const named = [workspaceId, ruleId, version, mailboxId, scope, sender, domain, list, subject];
  return `pat_${digestOf(JSON.stringify([...named, mailboxIn, hasAttachments, isAuthenticated]))}`;
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
