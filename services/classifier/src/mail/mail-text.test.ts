import { describe, expect, it } from '@jest/globals';
import { seenMail } from './seen-mail.test-support.ts';

const address = (email: string, name: string | null = null) => ({ email, name });

describe('an email as a model sees it', () => {
  it('has its people, the names and types of its attachments, and what the mail system knows', () => {
    const seen = seenMail({
      from: address('bob@other.example', 'Bob'),
      to: [address('ann@acme.example', 'Ann'), address('carol@acme.example')],
      cc: [address('dave@acme.example', 'Dave')],
      attachments: [{ filename: 'offer.pdf', mimeType: 'application/pdf' }],
      mailboxIn: 'to',
      hasWrittenToSender: true,
    });
    expect(seen).toMatchObject({
      from: 'Bob <bob@other.example>',
      to: ['Ann <ann@acme.example>', 'carol@acme.example'],
      cc: ['Dave <dave@acme.example>'],
      recipients: 3,
      attachments: [{ name: 'offer.pdf', type: 'application/pdf' }],
      facts: { mailboxIn: 'to', hasWrittenToSender: true },
    });
  });

  it('has no invisible character in any piece, and no line break but in its text', () => {
    const hidden = 'pay\u200b\u202e\u{e0041}\u00adroll';
    const seen = seenMail({
      from: address('bob@other.example', `${hidden}\r\nTo: x`),
      to: [address('ann@acme.example', hidden)],
      subject: `${hidden}\u2028more`,
      attachments: [{ filename: `${hidden}\u0000.pdf`, mimeType: 'a/b' }],
      text: `${hidden}\u0007\nnext`,
    });
    expect(seen).toMatchObject({
      from: 'payroll To: x <bob@other.example>',
      to: ['payroll <ann@acme.example>'],
      subject: 'payroll more',
      attachments: [{ name: 'payroll .pdf' }],
      text: 'payroll\nnext',
    });
    expect(seenMail({ html: '<p>shown<b style="display:none">hidden</b></p>', text: 'other' }).text).toBe('shown');
  });

  it('lists ten recipients and ten attachments of ordinary length, and counts the others', () => {
    const to = Array.from({ length: 11 }, (_, n) => address(`p${n}@acme.example`));
    const attachments = Array.from({ length: 11 }, (_, n) => ({ filename: `${n}.pdf`, mimeType: 'application/pdf' }));
    const seen = seenMail({ to, attachments });
    expect([seen.to.length, seen.recipients, seen.attachments.length]).toEqual([10, 11, 10]);
  });
});
