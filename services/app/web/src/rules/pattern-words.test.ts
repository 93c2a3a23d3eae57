import { describe, expect, it } from '@jest/globals';
import type { ConditionPatternAnswer } from '@postroom/app/answers';
import { patternFacts, patternSender, patternSubject } from './pattern-words.ts';

const pattern = (parts: Partial<ConditionPatternAnswer> = {}) =>
  ({
    sender: 'news@shop.example',
    domain: 'shop.example',
    listId: null,
    subject: null,
    mailboxIn: 'to',
    hasAttachments: false,
    isAuthenticated: true,
    ...parts,
  }) as ConditionPatternAnswer;

describe('a pattern in words', () => {
  it('names the sender, or the domain where any address fits', () => {
    expect([patternSender(pattern()), patternSender(pattern({ sender: null }))]).toEqual([
      'news@shop.example',
      'Any address of shop.example',
    ]);
  });

  it('names the subject, that there is none, or that any fits', () => {
    expect(['your order #', '', null].map((subject) => patternSubject(pattern({ subject })))).toEqual([
      'Subject "your order #"',
      'No subject',
      'Any subject',
    ]);
  });

  it('names list, recipient, attachments and the check of the sender', () => {
    expect(patternFacts(pattern({ listId: 'news.shop.example' }))).toBe(
      'list news.shop.example, to this mailbox, without attachments, sender confirmed',
    );
    expect(patternFacts(pattern({ mailboxIn: null, hasAttachments: true, isAuthenticated: false }))).toBe(
      'with attachments, sender not confirmed',
    );
  });
});
