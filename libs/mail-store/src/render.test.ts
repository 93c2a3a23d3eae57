import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { renderEmail, renderListItem, type RenderSource } from './render.ts';

const source: RenderSource = {
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
    const item = JSON.parse(renderListItem(renderEmail(source), parts, '[]')) as Record<string, unknown>;
    expect(Object.keys(item).join(' ')).toBe(
      'id mailboxId folderId threadId messageId inReplyTo references from to cc subject snippet date ' +
        'isRead isStarred isDraft hasAttachments attachments tags waitingForReply',
    );
    expect(item).toMatchObject({ id: 'eml_1', date: '2026-01-02T03:04:05.000Z', isRead: true, threadId: null });
  });

  it('is the same whether glued as text or as bytes, whatever an email says', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), (subject, name) => {
        const rendered = renderEmail({ ...source, subject, from: { email: 'a@b.c', name } });
        const asText = renderListItem(rendered, parts, '[]');
        const bytes = renderListItem(Buffer.from(rendered).toString('latin1'), parts, '[]');
        expect(Buffer.from(bytes, 'latin1').toString()).toBe(asText);
        expect(JSON.parse(asText)).toMatchObject({ subject, from: { email: 'a@b.c', name } });
      }),
    );
  });
});
