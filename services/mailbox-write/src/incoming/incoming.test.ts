import { describe, expect, it } from '@jest/globals';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { IncomingMessage } from '@postroom/proto/postroom/v1/mailbox_write';
import { readIncoming } from './incoming.ts';

const mailbox = { folders: [] } as unknown as MailboxDocument;
const receivedOf = (receivedAt: string) =>
  readIncoming([IncomingMessage.create({ sourceKey: 's', folderType: 'INBOX', receivedAt })], mailbox)[0]?.receivedAt;

describe('the date of a message that a source hands over', () => {
  it('is taken between 1970 and 9999', () => {
    expect(receivedOf('2026-03-01T12:00:00Z')).toEqual(new Date('2026-03-01T12:00:00Z'));
  });

  it.each(['+099999-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z', '1969-12-31T23:59:59Z'])(
    'is none where it is %s, so that the email stands where its header or its arrival puts it',
    (receivedAt) => expect(receivedOf(receivedAt)).toBeNull(),
  );
});
