import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type {
  EmailDocument,
  QuarantinedMessageDocument,
  QuarantinedPieceDocument,
} from '@postroom/mail-store/documents/email';
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
const DAY = new Date('2026-03-03T10:00:00Z');
const message = (parts: MessageParts, sourceKey?: string) => ({
  ...rawMessage(parts),
  ...(sourceKey && { sourceKey }),
});

describe('ingest', () => {
  it('stored: the email, its body beside it, and its unpublished event', async () => {
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
      messageKey: expect.stringMatching(/^INBOX:[0-9a-f]{32}$/),
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

  it('stored: a message whose beginning was read, with the attachments that its provider describes', async () => {
    const mailbox = await mail.mailbox();
    const mimeType = 'application/pdf';
    const described = { items: [{ filename: 'whole.pdf', size: 57_000_000, mimeType }] };
    const cut = [
      'From: ann@sender.example',
      'Subject: large',
      'Content-Type: multipart/mixed; boundary=b',
      '',
      '--b\r\n\r\nhello',
      `--b\r\nContent-Type: ${mimeType}; name=whole.pdf\r\nContent-Transfer-Encoding: base64\r\n\r\nAAAA`,
    ];
    await mail.ingest(mailbox, [{ ...message({}), raw: Buffer.from(cut.join('\r\n')), described }]);
    expect(await emailsOf(mailbox)).toMatchObject([{ hasAttachments: true, attachments: described.items }]);
  });

  it('known: the same source, the same message in its folder, the same message twice in a batch', async () => {
    const mailbox = await mail.mailbox();
    const first = message({ messageId: '<a@x.example>', date: DAY }, 'key-1');
    const [stored] = await mail.ingest(mailbox, [first]);
    const outcomes = await mail.ingest(mailbox, [
      first,
      message({ messageId: '<a@x.example>', date: DAY }, 'key-2'),
      message({ messageId: '<a@x.example>', date: DAY, folderType: 'SENT' }, 'key-3'),
      message({ messageId: '<b@x.example>', date: DAY }, 'key-4'),
      message({ messageId: '<b@x.example>', date: DAY }, 'key-5'),
      message({ messageId: '<c@x.example>', date: DAY }, 'key-6'),
      message({ messageId: '<c@x.example>', date: DAY }, 'key-6'),
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

  it('known: the loser of a race, and nothing is left of it', async () => {
    const mailbox = await mail.mailbox();
    const same = message({ messageId: '<race@x.example>', date: DAY }, 'race');
    const calls = Array.from({ length: 8 }, (_, n) =>
      mail.ingest(mailbox, [n % 2 ? same : message({ messageId: '<race@x.example>', date: DAY }, `race-${n}`)]),
    );
    const outcomes = (await Promise.all(calls)).flat();
    expect(outcomes.filter(({ outcome }) => outcome === 'stored')).toHaveLength(1);
    expect(new Set(outcomes.map(({ emailId }) => emailId)).size).toBe(1);
    expect(await mail.collections.bodies.countDocuments({ workspaceId: mailbox.workspaceId })).toBe(1);
  });

  it('stored: the same Message-ID with other content is another email, in either order and in one batch', async () => {
    const mailbox = await mail.mailbox();
    const real = { messageId: '<bill@x.example>', date: DAY, subject: 'Your invoice', text: 'Pay to account 1.' };
    const outcomes = [
      await mail.ingest(mailbox, [message({ ...real, text: 'A decoy.' }), message(real)]),
      await mail.ingest(mailbox, [
        message({ ...real, subject: 'Your  invoice ' }),
        message({ ...real, from: 'x@x.example' }),
      ]),
      await mail.ingest(mailbox, [message({ ...real, headers: { Received: 'by another way', 'X-Seen': 'yes' } })]),
    ].flat();
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored', 'known', 'stored', 'known']);
    expect((await emailsOf(mailbox)).map(({ snippet }) => snippet).sort()).toEqual([
      'A decoy.',
      'Pay to account 1.',
      'Pay to account 1.',
    ]);
  });

  it('known: an email that was stored when the Message-ID alone counted, if it reads alike', async () => {
    const mailbox = await mail.mailbox();
    const old = message({ messageId: '<old@x.example>', date: DAY }, 'old');
    const [stored] = await mail.ingest(mailbox, [old]);
    await mail.collections.emails.updateOne(
      { _id: stored?.emailId },
      { $set: { messageKey: 'INBOX:<old@x.example>' } },
    );
    const outcomes = await mail.ingest(mailbox, [
      { ...old, sourceKey: 'another way' },
      message({ messageId: '<old@x.example>', text: 'Not that one.' }),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['known', 'stored']);
  });

  it('stored: mail without a Message-ID has one of ours to be answered by; two that read alike are two', async () => {
    const mailbox = await mail.mailbox();
    const raw = Buffer.from('From: cron@x.example\r\nSubject: disk full\r\n\r\nhelp\r\n');
    const outcomes = await mail.ingest(mailbox, [
      { sourceKey: 'one', raw },
      { sourceKey: 'two', raw },
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(['stored', 'stored']);
    const [one, two] = await emailsOf(mailbox);
    expect(one?.messageId).toMatch(/^<.+@.+>$/);
    expect(two?.messageId).toBe(one?.messageId);
    await mail.ingest(mailbox, [message({ inReplyTo: one?.messageId ?? '' })]);
    expect(new Set((await emailsOf(mailbox)).map(({ threadId }) => threadId)).size).toBe(1);
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

describe('quarantined', () => {
  it('a message that cannot be parsed is kept whole, listed, and answered the same again', async () => {
    const mailbox = await mail.mailbox();
    const { workspaceId } = mailbox;
    const raw = Buffer.from('This is not an email.\r\n');
    const first = await mail.ingest(mailbox, [{ sourceKey: 'bad', raw }]);
    const again = await mail.ingest(mailbox, [{ sourceKey: 'bad', raw }]);
    expect(first).toEqual(again);
    expect(first[0]).toMatchObject({ outcome: 'quarantined', cause: expect.stringContaining('not an email') });

    const { items } = await mail.operators.listQuarantinedMessages({ mailboxId: undefined, limit: 0 }, { workspaceId });
    expect(items).toEqual([expect.objectContaining({ sourceKey: 'bad', attempts: 1, size: raw.length })]);
    const answer = await mail.operators.retryQuarantinedMessages({ ids: [] }, { workspaceId });
    expect(answer).toEqual({ stored: 0, stillQuarantined: 1 });
    const { items: tried } = await mail.operators.listQuarantinedMessages(
      { mailboxId: mailbox._id, limit: 5 },
      { workspaceId },
    );
    expect(tried[0]?.attempts).toBe(2);
  });

  it('for half a year, its pieces a little longer, and those from before a crash as long; then it is not listed', async () => {
    const mailbox = await mail.mailbox();
    const { workspaceId } = mailbox;
    const [{ quarantinedMessages, quarantinedPieces }, about] = [mail.collections, { workspaceId }];
    const bad = { sourceKey: 'bad', raw: Buffer.from('This is not an email.\r\n') };
    await mail.ingest(mailbox, [bad]);
    await quarantinedMessages.deleteMany(about);
    await quarantinedPieces.updateMany(about, { $set: { expiresAt: new Date() } });
    await mail.ingest(mailbox, [bad]);
    const [message] = await quarantinedMessages.find(about).lean<QuarantinedMessageDocument[]>();
    const [piece] = await quarantinedPieces.find(about).lean<QuarantinedPieceDocument[]>();
    const days = (at = new Date()) => Math.round((at.getTime() - Date.now()) / 86_400_000);
    expect([days(message?.expiresAt), days(piece?.expiresAt)]).toEqual([180, 181]);

    await quarantinedMessages.updateMany(about, { $set: { expiresAt: new Date() } });
    const listed = await mail.operators.listQuarantinedMessages({ mailboxId: undefined, limit: 0 }, { workspaceId });
    const retried = await mail.operators.retryQuarantinedMessages({ ids: [] }, { workspaceId });
    expect([listed.items, retried]).toEqual([[], { stored: 0, stillQuarantined: 0 }]);
  });

  it('a folder that the mailbox lacks; once it is there the message is taken in whole', async () => {
    const mailbox = await mail.mailbox({ folders: ['INBOX'] });
    const { workspaceId } = mailbox;
    const text = 'x'.repeat(9 * 1024 * 1024);
    const [outcome] = await mail.ingest(mailbox, [message({ folderType: 'SPAM', subject: 'big', text })]);
    expect(outcome).toMatchObject({ outcome: 'quarantined', cause: expect.stringContaining('SPAM') });
    expect(await mail.collections.quarantinedPieces.countDocuments({ workspaceId })).toBe(3);

    await mail.collections.mailboxes.updateOne(
      { _id: mailbox._id },
      { $push: { folders: { id: 'fld_spam', name: 'Spam', type: 'SPAM' } } },
    );
    expect(await mail.operators.retryQuarantinedMessages({ ids: [] }, { workspaceId })).toEqual({
      stored: 1,
      stillQuarantined: 0,
    });
    expect((await emailsOf(mailbox)).map(({ subject, folderId }) => [subject, folderId])).toEqual([
      ['big', 'fld_spam'],
    ]);
    expect(await mail.collections.quarantinedPieces.countDocuments({ workspaceId })).toBe(0);
    expect(
      (await mail.operators.listQuarantinedMessages({ mailboxId: undefined, limit: 0 }, { workspaceId })).items,
    ).toEqual([]);
  });
});
