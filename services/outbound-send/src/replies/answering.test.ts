import { describe, expect, it } from '@jest/globals';
import { addressedOf } from '@postroom/mail-store/own-sender';
import { addresseeOf, mayBeAnswered } from './answering.ts';
import type { SendingMailbox, SourceEmail } from '../mail-reader/mail-reader-store.ts';

const mailbox: SendingMailbox = {
  _id: 'mbx_1',
  email: 'Ann@acme.example',
  name: 'Ann',
  status: 'active',
  provider: 'imap',
  aliases: [
    { email: 'info@acme.example', name: null, verified: true },
    { email: 'old@acme.example', name: null, verified: false },
  ],
};
const source = (parts: Partial<SourceEmail> = {}): SourceEmail => ({
  _id: 'eml_1',
  mailboxId: 'mbx_1',
  folderType: 'INBOX',
  threadId: null,
  threadKey: '<1@other.example>',
  messageId: '<1@other.example>',
  references: [],
  from: { email: 'bob@other.example', name: 'Bob' },
  to: [{ email: 'ann@acme.example', name: null }],
  cc: [],
  subject: 'Hello',
  date: new Date(0),
  isAutomatic: false,
  replyTo: null,
  failsDmarc: false,
  hasAttachments: false,
  isDraft: false,
  ...parts,
});
const to = (...emails: string[]) => emails.map((email) => ({ email, name: null }));
const from = (email: string) => ({ from: { email, name: null } });
const mayAnswer = (parts: Partial<SourceEmail>, text = 'Yes.') => {
  const email = source(parts);
  return mayBeAnswered(email, addresseeOf(email, mailbox), text, mailbox);
};

describe('an email that a rule answers', () => {
  it('is answered to its sender, or where the sender asks, and never to the mailbox itself', () => {
    expect(addresseeOf(source(), mailbox).email).toBe('bob@other.example');
    expect(addresseeOf(source({ replyTo: 'desk@other.example' }), mailbox).email).toBe('desk@other.example');
    expect(addresseeOf(source({ replyTo: 'ANN@acme.example' }), mailbox).email).toBe('bob@other.example');
    expect(() => addresseeOf(source(from('bob@other.example, eve@evil.example')), mailbox)).toThrow();
  });

  it('is answered to its sender alone where anybody can have an address of that domain', () => {
    for (const replyTo of ['b.o.b@gmail.com', 'bo.b@GMAIL.com', 'eve@yahoo.co.uk', 'eve@gmx.de']) {
      const sender = `bob${replyTo.slice(replyTo.indexOf('@'))}`;
      expect(addresseeOf(source({ ...from(sender), replyTo }), mailbox).email).toBe(sender);
    }
  });

  it.each([
    ['the mailbox', to('x@other.example', 'ann@ACME.example'), 'Ann@acme.example'],
    ['an alias', to('Info@acme.example'), 'info@acme.example'],
    ['an alias nobody has verified', to('old@acme.example'), undefined],
    ['somebody else, who has let us know', to('team@other.example'), undefined],
  ])('is answered as the address that it was sent to: %s', (_what, addressed, expected) => {
    expect(addressedOf(source({ to: addressed }), mailbox)).toBe(expected);
    expect(addressedOf(source({ to: [], cc: addressed }), mailbox)).toBe(expected);
  });

  it.each([
    ['noreply@shop.example'],
    ['no-reply@shop.example'],
    ['do_not_reply@shop.example'],
    ['notifications-noreply@shop.example'],
    ['MAILER-DAEMON@mx.example'],
    ['bounces+17=x@list.example'],
    ['owner-list@list.example'],
    ['list-request@list.example'],
    ['info@acme.example'],
  ])('is left to a person where %s would be answered', (email) => expect(mayAnswer(from(email))).toBe(false));

  it.each([
    ['nobody', [], []],
    ['a list and strangers', to('list@club.example'), to('ann@other.example')],
  ])('is left to a person where To and Cc name %s', (_whom, recipients, cc) =>
    expect(mayAnswer({ to: recipients, cc })).toBe(false),
  );

  it.each([
    ['the mailbox in Cc', to('bob@other.example'), to('ANN@acme.example')],
    ['the mailbox with a suffix', to('ann+shop@acme.example'), []],
    ['an alias nobody has verified', to('old@acme.example'), []],
  ])('is answered where they name %s', (_whom, recipients, cc) => expect(mayAnswer({ to: recipients, cc })).toBe(true));

  it('is left to a person where the reply has more than 10,000 characters', () => {
    expect(mayAnswer({}, '🎉'.repeat(10_000))).toBe(true);
    expect(mayAnswer({}, 'x'.repeat(10_001))).toBe(false);
  });

  it.each<[Partial<SourceEmail>]>([[{ isAutomatic: true }], [{ failsDmarc: true }], [{ folderType: 'TRASH' }]])(
    'is left to a person with %j',
    (parts) => expect(mayAnswer(parts)).toBe(false),
  );

  it.each([['bob@other.example'], ['reply@other.example'], ['norepl@other.example'], ['bouncer@club.example']])(
    'is answered where %s wrote it',
    (email) => expect(mayAnswer(from(email))).toBe(true),
  );
});
