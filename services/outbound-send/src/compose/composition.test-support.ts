import type { Composition } from './composition.ts';

export const plain: Composition = {
  messageId: '<op_1@postroom.invalid>',
  date: new Date('2026-11-22T10:00:00Z'),
  from: { email: 'ann@acme.example', name: 'Ann' },
  to: [{ email: 'bob@other.example', name: null }],
  cc: [],
  bcc: [],
  subject: 'Hello',
  inReplyTo: null,
  references: [],
  html: null,
  text: 'Hi',
};
