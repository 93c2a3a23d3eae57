import { describe, expect, it } from '@jest/globals';
import { parseMessage } from './message.ts';

const isAutomatic = (...lines: string[]) =>
  parseMessage(Buffer.from([...lines, 'Subject: x', '', 'y'].join('\r\n'))).isAutomatic;

const listId = (field: string) => parseMessage(Buffer.from([field, 'Subject: x', '', 'y'].join('\r\n'))).listId;

describe('the list of a message', () => {
  it.each([
    ['List-Id: News of Acme <News.Acme.example>', 'news.acme.example'],
    ['List-Id: "a <b> c" <l.acme.example>', 'l.acme.example'],
    ['List-Id: <>', null],
    ['List-Id: l.acme.example', null],
    [`List-Id: <${'x'.repeat(300)}>`, null],
    ['X-List: <l.acme.example>', null],
  ])('by "%s" is %s', (field, name) => expect(listId(field)).toBe(name));
});

describe('automatic mail', () => {
  it.each([
    'Auto-Submitted: auto-generated',
    'Auto-Submitted: AUTO-REPLIED; owner-email="a@x.example"',
    'Auto-Submitted: nobody-knows',
    'X-Postroom-Loop: 0123',
    'x-postroom-loop:',
    'Precedence: bulk',
    'Precedence: LIST',
    'List-Id: <list.example>',
    'List-Unsubscribe: <mailto:off@x.example>',
    'X-Auto-Response-Suppress: DR, OOF',
    'Return-Path: <>',
    'Return-Path: < >',
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    'From: Mail Delivery <MAILER-DAEMON@mx.example>',
  ])('is what says so by "%s"', (line) => {
    expect(isAutomatic(line)).toBe(true);
  });

  it.each([
    'From: Ann <ann@x.example>',
    'Auto-Submitted: no',
    'Auto-Submitted: No; because=I-wrote-it',
    'Precedence: first-class',
    'Return-Path: <ann@x.example>',
    'X-Auto-Response-Suppress: none',
    'From: Daemon <not-mailer-daemon@x.example>',
    'Subject: List-Id: <list.example>',
  ])('is not what says "%s"', (line) => {
    expect(isAutomatic(line)).toBe(false);
  });
});
