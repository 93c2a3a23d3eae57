import { expect, it } from '@jest/globals';
import type { Composition } from '../compose/composition.ts';
import type { SendingMailbox } from '../mail-reader/mail-reader-store.ts';
import { fingerprintOfDraft, shownOfDraft, strangersOf } from './draft-message.ts';

const person = (email: string, name: string | null = null) => ({ email, name });
const message = {
  messageId: '<1@acme.example>',
  date: new Date('2026-01-01T00:00:00Z'),
  from: person('ann@acme.example'),
  to: [person('bob@other.example')],
  cc: [person('cy@other.example')],
  bcc: [person('di@other.example')],
  subject: 'Tuesday',
  inReplyTo: '<0@other.example>',
  references: [],
  html: '<p>Yes</p>',
  text: 'Yes',
} as unknown as Composition;

it.each([
  ['from', person('sales@acme.example')],
  ['to', [person('eve@other.example')]],
  ['to', [person('bob@other.example', 'The bank')]],
  ['cc', []],
  ['bcc', [person('di@other.example'), person('eve@other.example')]],
  ['subject', 'Wednesday'],
  ['inReplyTo', null],
  ['html', '<p>No</p>'],
  ['text', 'No'],
] as const)('an approval does not hold for a draft with another %s', (field, value) => {
  expect(fingerprintOfDraft({ ...message, [field]: value })).not.toBe(fingerprintOfDraft(message));
});

it('a recipient who moves from Cc to Bcc changes what was approved', () => {
  const hidden = { ...message, cc: [], bcc: [...message.cc, ...message.bcc] };
  expect(fingerprintOfDraft(hidden)).not.toBe(fingerprintOfDraft(message));
});

it('an approval holds for the same draft with another date and id', () => {
  const again = { ...message, date: new Date(), messageId: '<2@acme.example>' };
  expect(fingerprintOfDraft(again)).toBe(fingerprintOfDraft(message));
});

it('a person who approves sees every recipient, and both forms of the body', () => {
  expect(shownOfDraft(message)).toEqual({
    to: ['bob@other.example'],
    cc: ['cy@other.example'],
    bcc: ['di@other.example'],
    subject: 'Tuesday',
    html: '<p>Yes</p>',
    text: 'Yes',
  });
});

it('a person who approves sees the name of a recipient behind the address that it could hide', () => {
  const { to } = shownOfDraft({ ...message, to: [person('eve@other.example', 'bob@other.example')] });
  expect(to).toEqual(['eve@other.example (named “bob@other.example”)']);
});

it('strangers are those in To, Cc and Bcc who are neither in the thread nor the mailbox with its verified aliases', () => {
  const mailbox = {
    email: 'ann@acme.example',
    aliases: [
      { email: 'sales@acme.example', verified: true },
      { email: 'ceo@acme.example', verified: false },
    ],
  } as unknown as SendingMailbox;
  const to = ['ANN@acme.example', 'sales@acme.example', 'ceo@acme.example', 'bob@other.example', 'eve@other.example'];
  const letter = { to: to.map((email) => person(email)), cc: message.cc, bcc: message.bcc };
  const strangers = ['ceo@acme.example', 'eve@other.example', 'cy@other.example', 'di@other.example'];
  expect(strangersOf(letter, [person('Bob@other.example')], mailbox)).toEqual(strangers);
});
