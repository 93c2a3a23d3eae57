import type { MailboxIn } from '@postroom/mail-store/documents/email';

/** The conditions that each email of the corpus is held against, by a short name. */
export const CONDITIONS = {
  invoice: 'the email is an invoice or a bill',
  pdf: 'has a PDF attached',
  invite: 'has a calendar invitation attached',
  copy: 'I am only in copy',
  directAsk: 'a question that is sent directly to me',
  stranger: 'from someone I have never written to',
  knownAsk: 'a question from someone I have written to',
  news: 'newsletters and marketing',
} as const;
export type ConditionName = keyof typeof CONDITIONS;

const [PDF, ICS, PNG] = ['offer.pdf application/pdf', 'invite.ics text/calendar', 'logo.png image/png'];
type File = string;
type Row = [
  from: string,
  mailboxIn: MailboxIn,
  isKnown: 0 | 1,
  files: File[],
  subject: string,
  text: string,
  expected: string,
];

const ROWS: Row[] = [
  ['bob@globex.example', 'to', 1, [], 'Invoice 4711', 'The amount due is 20 EUR.', 'invoice'],
  ['bob@globex.example', 'to', 1, [PDF], 'Invoice 4712', 'The amount due is 30 EUR.', 'invoice pdf'],
  ['billing@initech.example', 'to', 0, [PDF], 'Your invoice', 'Payment due in ten days.', 'invoice pdf stranger'],
  ['billing@initech.example', 'cc', 0, [PDF], 'Rechnung 17', 'Due date: Friday.', 'invoice pdf copy stranger'],
  ['billing@hooli.example', 'neither', 0, [], 'Invoice for August', 'Total due: 12 EUR.', 'invoice stranger'],
  ['carol@acme.example', 'cc', 1, [], 'Invoice of Globex', 'The billing department has paid it.', 'invoice copy'],
  ['dave@acme.example', 'to', 1, [PNG], 'Invoice 9', 'Amount due: 9 EUR.', 'invoice'],
  ['shop@umbrella.example', 'to', 0, [PDF], 'Facture 8', 'Due date: Monday.', 'invoice pdf stranger'],
  ['bob@globex.example', 'to', 1, [PDF], 'The plan', 'As discussed.', 'pdf'],
  ['eve@other.example', 'to', 0, [PDF], 'Our catalogue', 'See the file.', 'pdf stranger'],
  ['eve@other.example', 'cc', 0, [PDF], 'Our catalogue', 'See the file.', 'pdf copy stranger'],
  ['carol@acme.example', 'cc', 1, [PDF], 'Minutes', 'For your files.', 'pdf copy'],
  ['carol@acme.example', 'to', 1, [PNG], 'The logo', 'The new one.', ''],
  ['dave@acme.example', 'neither', 1, [PDF, PNG], 'Plans of the house', 'Both files.', 'pdf'],
  ['frank@build.example', 'to', 0, [PNG], 'Pictures', 'Of the roof.', 'stranger'],
  ['frank@build.example', 'to', 1, ['SCAN.PDF application/octet-stream'], 'Scan', 'Signed.', 'pdf'],
  ['grace@acme.example', 'to', 1, [ICS], 'Monday at nine', 'See you there.', 'invite'],
  ['grace@acme.example', 'cc', 1, [ICS], 'Monday at ten', 'See you there.', 'invite copy'],
  ['heidi@partner.example', 'to', 0, [ICS], 'Call on Tuesday', 'I look forward to it.', 'invite stranger'],
  ['heidi@partner.example', 'to', 1, [ICS, PDF], 'Workshop', 'The agenda is there.', 'invite pdf'],
  ['rooms@acme.example', 'neither', 0, [ICS], 'Room 4', 'Booked for you.', 'invite stranger'],
  ['ivan@partner.example', 'to', 1, [ICS], 'Moved', 'One hour later.', 'invite'],
  ['ivan@partner.example', 'neither', 1, ['event.ics application/octet-stream'], 'Moved again', 'To noon.', 'invite'],
  ['carol@acme.example', 'cc', 1, [], 'For your information', 'Nothing to do.', 'copy'],
  ['dave@acme.example', 'cc', 1, [], 'The offer to Globex', 'It went out today.', 'copy'],
  ['bob@globex.example', 'cc', 1, [], 'Delay', 'We are a day late.', 'copy'],
  ['judy@unknown.example', 'cc', 0, [], 'Introduction', 'Meet my colleague.', 'copy stranger'],
  ['judy@unknown.example', 'cc', 0, [], 'Introduction again', 'Meet another colleague.', 'copy stranger'],
  ['carol@acme.example', 'cc', 1, [], 'Lunch?', 'Could you all say yes or no?', 'copy knownAsk'],
  ['mallory@unknown.example', 'cc', 0, [], 'A favour?', 'Could you help them?', 'copy stranger'],
  ['bob@globex.example', 'to', 1, [], 'When?', 'When can you deliver? Please let me know.', 'directAsk knownAsk'],
  ['bob@globex.example', 'to', 1, [], 'Size', 'Could you tell me the size?', 'directAsk knownAsk'],
  ['eve@other.example', 'to', 0, [], 'Opening hours', 'Could you tell me when you open?', 'directAsk stranger'],
  ['frank@build.example', 'to', 0, [], 'Question', 'Is the roof done?', 'directAsk stranger'],
  ['ivan@partner.example', 'to', 1, [], 'Question', 'Is the contract signed?', 'directAsk knownAsk'],
  ['ivan@partner.example', 'neither', 1, [], 'Question', 'Does anybody know?', 'knownAsk'],
  ['team@acme.example', 'neither', 0, [], 'Survey', 'How are you? Can you answer by Friday?', 'stranger'],
  ['carol@acme.example', 'to', 1, [PDF], 'Your view?', 'Could you read it?', 'pdf directAsk knownAsk'],
  ['grace@acme.example', 'to', 1, [ICS], 'Does it fit?', 'Can you make it?', 'invite directAsk knownAsk'],
  ['dave@acme.example', 'cc', 1, [], 'Prices', 'Can you, Carol, confirm them?', 'copy knownAsk'],
  ['niaj@lead.example', 'to', 0, [], 'Chairs', 'Would you send an offer? How fast?', 'directAsk stranger'],
  ['niaj@lead.example', 'to', 1, [], 'Chairs', 'Would you send another offer? How fast?', 'directAsk knownAsk'],
  ['olivia@lead.example', 'to', 0, [], 'Partnership', 'We are new in town.', 'stranger'],
  ['peggy@lead.example', 'to', 0, [], 'Hello', 'I got your address from Bob.', 'stranger'],
  ['peggy@lead.example', 'to', 1, [], 'Hello again', 'Thanks for the answer.', ''],
  ['rupert@spam.example', 'neither', 0, [], 'Last chance', 'Click here now.', 'stranger'],
  ['sybil@globex.example', 'to', 0, [], 'New at Globex', 'I follow Bob.', 'stranger'],
  ['sybil@globex.example', 'to', 1, [], 'Thanks', 'All clear now.', ''],
  ['news@journal.example', 'to', 0, [], 'Weekly digest', 'Our newsletter. Unsubscribe here.', 'stranger news'],
  ['news@journal.example', 'neither', 0, [], 'Weekly digest', 'Our newsletter. Unsubscribe here.', 'stranger news'],
  ['deals@shop.example', 'to', 0, [], 'Special offer', '50 % off. Unsubscribe.', 'stranger news'],
  ['deals@shop.example', 'to', 0, [PNG], 'Special offer', '20 % off. View in browser.', 'stranger news'],
  ['club@run.example', 'neither', 1, [], 'Newsletter of the club', 'View this email online. Abmelden.', 'news'],
  ['news@journal.example', 'to', 0, [PDF], 'Newsletter as a file', 'Unsubscribe here.', 'pdf stranger news'],
  ['alerts@host.example', 'to', 0, [], 'Server restarted', 'It took a minute.', 'stranger'],
  ['alerts@host.example', 'to', 0, [], 'Backup done', 'Without a fault.', 'stranger'],
  ['trent@acme.example', 'to', 1, [], 'Done', 'All of it is on the drive.', ''],
  ['trent@acme.example', 'to', 1, [], 'Done as well', 'All of the rest is, too.', ''],
  ['victor@bank.example', 'to', 1, [PDF, ICS], 'Papers', 'And the day to sign.', 'pdf invite'],
  ['wendy@acme.example', 'neither', 1, [], 'Fridge', 'It is clean again.', ''],
];

const OWNER = { email: 'ann@acme.example', name: 'Ann' };
const OTHERS = { email: 'all@list.example', name: null };

/** Sixty emails to Ann with the conditions that a person finds true of each. */
export const corpus = ROWS.map(([from, mailboxIn, isKnown, files, subject, text, expected]) => ({
  mail: {
    from: { email: from, name: null },
    to: [mailboxIn === 'to' ? OWNER : OTHERS],
    cc: mailboxIn === 'cc' ? [OWNER] : [],
    subject,
    date: new Date(0),
    attachments: files.map((file) => {
      const [filename = '', mimeType = ''] = file.split(' ');
      return { filename, mimeType };
    }),
    mailboxIn,
    hasWrittenToSender: isKnown === 1,
    html: null,
    text,
  },
  expected: expected.split(' ').filter((name): name is ConditionName => name in CONDITIONS),
}));
