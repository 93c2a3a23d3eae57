import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { EmailDocument } from '@postroom/mail-store/documents/email';
import type { MailboxDocument } from '@postroom/mail-store/documents/mailbox';
import { rawMessage, type MessageParts } from '../support/message.ts';
import { type MailService, startMailService } from './mail-service.ts';

let mail: MailService;
beforeAll(async () => {
  mail = await startMailService();
});
afterAll(() => mail.close());

const emailsOf = ({ workspaceId }: MailboxDocument) =>
  mail.collections.emails.find({ workspaceId }).lean<EmailDocument[]>();
const message = (parts: MessageParts, sourceKey?: string) => ({
  ...rawMessage(parts),
  ...(sourceKey && { sourceKey }),
});

describe('ingest', () => {
  it('stored: the email, its body beside it, and the event that it owes', async () => {
    const mailbox = await mail.mailbox();
    const html = '<p>Grüße <b>aus</b> Köln</p><p style="display:none">hidden</p>';
    const [outcome] = await mail.ingest(mailbox, [
      message({ subject: 'Café', html, messageId: '<one@sender.example>' }),
    ]);
    expect(outcome).toMatchObject({ outcome: 'stored', cause: undefined });

    const [email] = await emailsOf(mailbox);
    expect(email).toMatchObject({
      _id: outcome?.emailId,
      mailboxId: mailbox._id,
      folderId: mailbox.folders[0]?.id,
      folderType: 'INBOX',
      messageId: '<one@sender.example>',
      messageKey: 'INBOX:<one@sender.example>',
      from: { email: 'ann@sender.example', name: 'Ann Sender' },
      subject: 'Café',
      snippet: 'Grüße aus Köln',
      senderAddress: 'ann@sender.example',
      senderDomain: 'sender.example',
      isDraft: false,
    });
    expect(email?.folded).toMatchObject({
      subject: '\ncafé\n',
      text: '\ngrüsse aus köln\n',
      from: '\nann@sender.example\nann sender\n',
    });
    expect(email?.words).toEqual(expect.arrayContaining(['h:cafe', 'h:sender', 't:koln']));
    expect(email?.words).not.toContain('t:hidden');
    expect(JSON.parse(`{${email?.rendered.replaceAll('\n', ',')}}`)).toMatchObject({
      subject: 'Café',
      threadId: email?.threadId,
    });
    const body = await mail.collections.bodies.findOne({ _id: email?._id }).lean();
    expect(body?.html).toContain('Köln');
  });

  it('stored: email.received for an inbox alone, and neither for history nor for own mail', async () => {
    const mailbox = await mail.mailbox({ email: 'me@example.com' });
    await mail.ingest(mailbox, [
      message({ subject: 'new' }),
      message({ subject: 'old', isHistory: true }),
      message({ subject: 'sent', folderType: 'SENT' }),
      message({ subject: 'draft', folderType: 'DRAFTS' }),
      message({ subject: 'own', from: 'Me <me@example.com>' }),
    ]);
    const received = async () => mail.bus.messagesIn('email.received').filter(({ key }) => key === mailbox._id);
    while ((await received()).length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await received()).toHaveLength(1);
    expect((await emailsOf(mailbox)).filter(({ isDraft }) => isDraft).map(({ subject }) => subject)).toEqual(['draft']);
  });

  it('known: the same source, the same Message-ID in its folder, the same message twice in a batch', async () => {
    const mailbox = await mail.mailbox();
    const first = message({ messageId: '<a@x.example>' }, 'key-1');
    const [stored] = await mail.ingest(mailbox, [first]);
    const outcomes = await mail.ingest(mailbox, [
      first,
      message({ messageId: '<a@x.example>' }, 'key-2'),
      message({ messageId: '<a@x.example>', folderType: 'SENT' }, 'key-3'),
      message({ messageId: '<b@x.example>' }, 'key-4'),
      message({ messageId: '<b@x.example>' }, 'key-5'),
      message({ messageId: '<c@x.example>' }, 'key-6'),
      message({ messageId: '<c@x.example>' }, 'key-6'),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual([
      'known',
      'known',
      'stored',
      'stored',
      'known',
      'stored',
      'known',
    ]);
    expect(outcomes[0]?.emailId).toBe(stored?.emailId);
    expect(outcomes[1]?.emailId).toBe(stored?.emailId);
    expect(outcomes[4]?.emailId).toBe(outcomes[3]?.emailId);
    expect(await mail.collections.bodies.countDocuments({ workspaceId: mailbox.workspaceId })).toBe(4);
  });

  it('known: whoever loses a race, and nothing is left of the loser', async () => {
    const mailbox = await mail.mailbox();
    const same = message({ messageId: '<race@x.example>' }, 'race');
    const calls = Array.from({ length: 8 }, (_, n) =>
      mail.ingest(mailbox, [n % 2 ? same : message({ messageId: '<race@x.example>' }, `race-${n}`)]),
    );
    const outcomes = (await Promise.all(calls)).flat();
    expect(outcomes.filter(({ outcome }) => outcome === 'stored')).toHaveLength(1);
    expect(new Set(outcomes.map(({ emailId }) => emailId)).size).toBe(1);
    expect(await mail.collections.bodies.countDocuments({ workspaceId: mailbox.workspaceId })).toBe(1);
  });

  it('404 MAILBOX_NOT_FOUND for a mailbox of another workspace', async () => {
    const mailbox = await mail.mailbox();
    const foreign = await mail.mailbox();
    await expect(mail.ingest({ ...mailbox, workspaceId: foreign.workspaceId }, [message({})])).rejects.toMatchObject({
      code: 'MAILBOX_NOT_FOUND',
    });
  });

  it('400 VALIDATION_FAILED names the message and the field', async () => {
    const mailbox = await mail.mailbox();
    await expect(mail.ingest(mailbox, [message({}), { ...message({}), folderType: 'ATTIC' }])).rejects.toMatchObject({
      code: 'VALIDATION_FAILED',
      details: { 'messages[1].folderType': expect.any(Array) },
    });
  });
});

describe('set aside', () => {
  it('what cannot be parsed is kept whole, listed, and answered the same again', async () => {
    const mailbox = await mail.mailbox();
    const { workspaceId } = mailbox;
    const raw = Buffer.from('This is not an email.\r\n');
    const first = await mail.ingest(mailbox, [{ sourceKey: 'bad', raw }]);
    const again = await mail.ingest(mailbox, [{ sourceKey: 'bad', raw }]);
    expect(first).toEqual(again);
    expect(first[0]).toMatchObject({ outcome: 'set_aside', cause: expect.stringContaining('not an email') });

    const { items } = await mail.client.listSetAside({ mailboxId: undefined, limit: 0 }, { workspaceId });
    expect(items).toEqual([expect.objectContaining({ sourceKey: 'bad', attempts: 1, size: raw.length })]);
    const answer = await mail.client.retrySetAside({ ids: [] }, { workspaceId });
    expect(answer).toEqual({ stored: 0, stillSetAside: 1 });
    const { items: tried } = await mail.client.listSetAside({ mailboxId: mailbox._id, limit: 5 }, { workspaceId });
    expect(tried[0]?.attempts).toBe(2);
  });

  it('a folder that the mailbox lacks; once it is there the message is taken in whole', async () => {
    const mailbox = await mail.mailbox({ folders: ['INBOX'] });
    const { workspaceId } = mailbox;
    const text = 'x'.repeat(9 * 1024 * 1024);
    const [outcome] = await mail.ingest(mailbox, [message({ folderType: 'SPAM', subject: 'big', text })]);
    expect(outcome).toMatchObject({ outcome: 'set_aside', cause: expect.stringContaining('SPAM') });
    expect(await mail.collections.setAsidePieces.countDocuments({ workspaceId })).toBe(3);

    await mail.collections.mailboxes.updateOne(
      { _id: mailbox._id },
      { $push: { folders: { id: 'fld_spam', name: 'Spam', type: 'SPAM' } } },
    );
    expect(await mail.client.retrySetAside({ ids: [] }, { workspaceId })).toEqual({ stored: 1, stillSetAside: 0 });
    expect((await emailsOf(mailbox)).map(({ subject, folderId }) => [subject, folderId])).toEqual([
      ['big', 'fld_spam'],
    ]);
    expect(await mail.collections.setAsidePieces.countDocuments({ workspaceId })).toBe(0);
    expect((await mail.client.listSetAside({ mailboxId: undefined, limit: 0 }, { workspaceId })).items).toEqual([]);
  });
});
