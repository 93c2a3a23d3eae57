import { describe, expect, it } from '@jest/globals';
import { automaticEmail } from './memory-patterns.test-support.ts';
import { patternsOf, patternIdOf, type MatchedEmail, subjectShape } from './patterns.ts';

const idsOf = (parts: Partial<MatchedEmail>, workspaceId = 'wsp_1') =>
  patternsOf(automaticEmail(parts)).map(({ facts }) => patternIdOf(workspaceId, 'air_1', 'v', facts));
const scopesOf = (parts: Partial<MatchedEmail>) => patternsOf(automaticEmail(parts)).map(({ facts }) => facts.scope);

describe('the patterns of an email', () => {
  it.each<[string, Partial<MatchedEmail>]>([
    ['a person may have written', { isAutomatic: false }],
    ['fails DMARC', { failsDmarc: true }],
    ['has no sender', { senderAddress: '', senderDomain: '' }],
  ])('are none where it %s', (_what, parts) => expect(scopesOf(parts)).toEqual([]));

  it('name its subject and sender, its list where it has one, and its domain where that is no public provider', () => {
    expect(scopesOf({ listId: 'news.shop.example' })).toEqual(['subject', 'sender', 'list', 'domain']);
    expect(scopesOf({})).toEqual(['subject', 'sender', 'domain']);
    expect(scopesOf({ senderAddress: 'a@gmail.com', senderDomain: 'gmail.com', listId: 'l' })).toEqual([
      'subject',
      'sender',
    ]);
  });

  it.each<[string, Partial<MatchedEmail>]>([
    ['mailbox', { mailboxId: 'mbx_2' }],
    ['way of address', { mailboxIn: 'neither' }],
    ['attachment', { attachments: [{ filename: 'a.pdf', size: 1, mimeType: 'application/pdf' }] }],
    ['sender that is not confirmed', { authentication: { spf: null, dkim: null, dmarc: null } }],
    ['domain', { senderAddress: 'news@other.example', senderDomain: 'other.example' }],
  ])('are none of those of an email with another %s', (_what, parts) => {
    const own = new Set(idsOf({}));
    expect(idsOf(parts).filter((id) => own.has(id))).toEqual([]);
  });

  it('are none of those of another workspace', () => {
    const own = new Set(idsOf({}));
    expect(idsOf({}, 'wsp_2').filter((id) => own.has(id))).toEqual([]);
  });

  it('share their list with another sender of its domain, and not with one of another domain that names the list', () => {
    const listId = 'news.shop.example';
    const listOf = (parts: Partial<MatchedEmail>) => idsOf({ listId, ...parts })[2];
    expect(listOf({ senderAddress: 'offers@shop.example' })).toBe(listOf({}));
    expect(listOf({ senderAddress: 'news@evil.example', senderDomain: 'evil.example' })).not.toBe(listOf({}));
  });

  it.each([
    ['Build #12 of api failed', 'build # of api failed'],
    ['Invoice INV-2026/03, due 2026-04-01', 'invoice # due #'],
    ['  Your   WEEKLY digest ', 'your weekly digest'],
    ['', ''],
  ])('have the subject "%s" as "%s"', (subject, shape) => expect(subjectShape(subject)).toBe(shape));

  it('have no more than the begin of a long subject, of whatever it consists', () => {
    expect(subjectShape('1 '.repeat(5_000)).length).toBeLessThanOrEqual(120);
  });
});

it('mail of no list has the patterns that were learned while its list was read as an empty text', () => {
  const [subject, sender] = idsOf({});
  expect(idsOf({ listId: '' }).slice(0, 2)).toEqual([subject, sender]);
  expect(scopesOf({})).not.toContain('list');
});
