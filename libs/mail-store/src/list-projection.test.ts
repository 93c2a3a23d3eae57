import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toListProjection, completeListItem, type ListProjectionSource } from './list-projection.ts';

const source: ListProjectionSource = {
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  threadId: null,
  messageId: '<1@example.com>',
  inReplyTo: null,
  references: [],
  from: { email: 'ann@example.com', name: null },
  to: [],
  cc: [],
  subject: 'Hello',
  snippet: 'Hi',
  date: new Date('2026-01-02T03:04:05Z'),
  isDraft: false,
  hasAttachments: false,
  attachments: [],
};
const parts = { folderId: 'fld_1', isRead: true, isStarred: false, waitingForReply: false };

describe('a list item', () => {
  it('holds every field of the contract, in its order', () => {
    const item = JSON.parse(completeListItem(toListProjection(source), parts, '[]')) as Record<string, unknown>;
    expect(Object.keys(item).join(' ')).toBe(
      'id mailboxId folderId threadId messageId inReplyTo references from to cc subject snippet date ' +
        'isRead isStarred isDraft hasAttachments attachments tags waitingForReply',
    );
    expect(item).toMatchObject({ id: 'eml_1', date: '2026-01-02T03:04:05.000Z', isRead: true, threadId: null });
  });

  it('is the same whether glued as text or as bytes, whatever an email says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (subject, name) => {
        const projection = toListProjection({ ...source, subject, from: { email: 'a@b.c', name } });
        const asText = completeListItem(projection, parts, '[]');
        const bytes = completeListItem(Buffer.from(projection).toString('latin1'), parts, '[]');
        expect(Buffer.from(bytes, 'latin1').toString()).toBe(asText);
        expect(JSON.parse(asText)).toMatchObject({ subject, from: { email: 'a@b.c', name } });
      }),
    );
  });
});
