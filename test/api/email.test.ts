import { describe, expect, it } from '@jest/globals';
import { useStack } from '../support/use-stack.ts';

const stack = useStack();

describe('GET /emails/{emailId}', () => {
  it('200 with every field of an email, bcc among them and tags not', async () => {
    const workspace = await stack.workspace();
    const mailbox = await workspace.connectMailbox();
    const [id] = await workspace.ingest(mailbox.id, [
      {
        subject: 'Re: plans',
        date: '2026-03-01T10:00:00Z',
        inReplyTo: '<first@sender.example>',
        references: ['<first@sender.example>'],
        headers: { Bcc: 'hidden@example.com' },
        isRead: true,
        text: 'Fine.',
      },
    ]);
    const { status, body } = await workspace.read.get(`/emails/${id}`);
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        email: {
          id,
          mailboxId: mailbox.id,
          folderId: mailbox.folders.find(({ type }) => type === 'INBOX')?.id,
          threadId: expect.any(String),
          messageId: expect.any(String),
          inReplyTo: '<first@sender.example>',
          references: ['<first@sender.example>'],
          from: { email: 'ann@sender.example', name: 'Ann Sender' },
          to: [{ email: 'bob@example.com', name: 'Bob' }],
          cc: [],
          bcc: [{ email: 'hidden@example.com', name: null }],
          subject: 'Re: plans',
          snippet: 'Fine.',
          date: '2026-03-01T10:00:00.000Z',
          isRead: true,
          isStarred: false,
          isDraft: false,
          hasAttachments: false,
          attachments: [],
          waitingForReply: false,
          isAutoForward: false,
          isAutoReply: false,
          labels: [],
          scheduledSendAt: null,
          scheduledStatus: null,
        },
      },
    });
  });

  it('404 EMAIL_NOT_FOUND for an unknown id, and byte for byte the same for one of another workspace', async () => {
    const workspace = await stack.workspace();
    const [id] = await workspace.ingest((await workspace.connectMailbox()).id, [{}]);
    const other = await stack.workspace();
    const foreign = await other.read.get(`/emails/${id}`);
    const unknown = await other.read.get('/emails/eml_never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'EMAIL_NOT_FOUND' } });
    expect(foreign).toMatchObject({ status: 404, body: unknown.body });
  });
});
