import { asked, INVALID, type Row } from './row.ts';

const to = [{ email: 'a@b.example' }];
const body = { text: 'Hi' };
const letter = { mailboxId: '{mailboxId}', to, body };
const ENCODED = '=?utf-8?q?=0D=0ABcc=3A_c=40d.example?=';
const many = Array.from({ length: 101 }, (_, at) => ({ email: `a${at}@b.example` }));
const addressed = (email: unknown): [object, string] => [{ ...letter, to: [{ email }] }, 'to[0].email'];

const bodies: [unknown, string][] = [
  [{ to, body }, 'mailboxId'],
  [{ ...letter, mailboxId: '' }, 'mailboxId'],
  [{ mailboxId: '{mailboxId}', body }, 'to'],
  [{ ...letter, to: [] }, 'to'],
  [{ ...letter, to: 'a@b.example' }, 'to'],
  [{ ...letter, to: ['a@b.example'] }, 'to[0]'],
  [{ ...letter, to: many }, 'to'],
  addressed('nobody'),
  addressed('a@b@c.example'),
  addressed('a@b.example, c@d.example'),
  addressed('A <a@b.example>'),
  addressed('a@b.example\r\nBcc: c@d.example'),
  addressed('"a b"@c.example'),
  addressed('=?utf-8?q?a?=@b.example'),
  addressed(`${'a'.repeat(250)}@b.example`),
  addressed(null),
  [{ ...letter, to: [{ email: 'a@b.example', name: 'A\r\nBcc: c@d.example' }] }, 'to[0].name'],
  [{ ...letter, to: [{ email: 'a@b.example', name: ENCODED }] }, 'to[0].name'],
  [{ ...letter, cc: [{ email: 'a@b.example', name: `Ann ${ENCODED}` }] }, 'cc[0].name'],
  [{ ...letter, cc: many }, 'cc'],
  [{ ...letter, bcc: [{}] }, 'bcc[0].email'],
  [{ mailboxId: '{mailboxId}', to }, 'body'],
  [{ ...letter, body: {} }, 'body'],
  [{ ...letter, body: 'Hi' }, 'body'],
  [{ ...letter, body: { text: 7 } }, 'body.text'],
  [{ ...letter, body: { html: 'a\0b' } }, 'body.html'],
  [{ ...letter, subject: 'Hi\r\nX-Evil: 1' }, 'subject'],
  [{ ...letter, subject: 'x'.repeat(999) }, 'subject'],
  [{ ...letter, subject: null }, 'subject'],
  [{ ...letter, subject: `Hi ${ENCODED}` }, 'subject'],
  [{ ...letter, inReplyTo: `<${ENCODED}@c>` }, 'inReplyTo'],
  [{ ...letter, references: [`<${ENCODED}@c>`] }, 'references[0]'],
  [{ ...letter, inReplyTo: '<a b@c>' }, 'inReplyTo'],
  [{ ...letter, inReplyTo: '<a@b>\r\nX-Evil: 1' }, 'inReplyTo'],
  [{ ...letter, references: '<a@b>' }, 'references'],
  [{ ...letter, references: Array.from({ length: 101 }, () => '<a@b>') }, 'references'],
  [{ ...letter, references: ['<a@b>', '\u2028'] }, 'references[1]'],
  [{ ...letter, from: 'nobody' }, 'from'],
  [{ ...letter, signature: 'sig_none' }, 'signature'],
];

export const draftRows: Row[] = ['POST /drafts', 'POST /drafts/send'].flatMap((call): Row[] => [
  ...asked(call, INVALID, bodies),
  [call, { ...letter, mailboxId: 'mbx_none' }, '404 MAILBOX_NOT_FOUND'],
  [call, { ...letter, mailboxId: '{inactiveMailboxId}' }, '400 MAILBOX_INACTIVE'],
  [call, { ...letter, from: 'other@example.com' }, '400 INVALID_SENDER_ALIAS'],
]);
