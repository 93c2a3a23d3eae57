import { describe, expect, it } from '@jest/globals';
import type { ReadMail } from '../../../../services/classifier/src/mail/mail-text.ts';
import { seenMail } from '../../../../services/classifier/src/mail/seen-mail.test-support.ts';
import { readCondition } from './condition.ts';
import { judgeByWords } from './judge.ts';

const ANN = { email: 'ann@acme.example', name: 'Ann' };
const judge = (condition: string, parts: Partial<ReadMail>) =>
  judgeByWords([{ rule_id: 'air_1', condition }], seenMail({ from: ANN, subject: '', ...parts }))[0];

const invoice = { subject: 'Invoice 4711', text: 'The amount due is 20 EUR.' };

describe('the judge by words', () => {
  it.each([
    ['the email is an invoice', invoice],
    ['Bills and invoices', invoice],
    ['Receipts of purchases', { subject: 'Your receipt', text: 'Thank you for your order.' }],
    ['newsletters or marketing', { text: 'Our weekly digest. Unsubscribe here.' }],
    ['someone proposes a meeting', { subject: 'Meeting on Friday?', text: 'Are you available at ten?' }],
    ['the sender asks a question', { text: 'Could you send me the file?' }],
    ['about "Project Falcon"', { text: 'News of project falcon: all is well.' }],
    ['anything from acme.example', {}],
  ])('knows %s', (condition, parts) => {
    const verdict = judge(condition, parts);
    expect(verdict?.applies).toBe(true);
    expect(verdict?.confidence).toBeGreaterThan(50);
  });

  it.each([
    ['the email is an invoice', { subject: 'Lunch', text: 'Shall we?' }],
    ['the email is an invoice', { text: 'I wonder about our ability to billet them.' }],
    ['invoices from Globex', invoice],
    ['anything from globex.example', {}],
  ])('does not see %s where it is not', (condition, parts) => {
    expect(judge(condition, parts)?.applies).toBe(false);
  });

  it.each(['the tone is melancholic', 'is not an invoice', 'every mail except newsletters'])(
    'says that it does not know: %s',
    (condition) => {
      const verdict = judge(condition, { ...invoice, text: 'Unsubscribe from our newsletter.' });
      expect(verdict).toMatchObject({ applies: false, confidence: 0, reason: expect.stringContaining('unknown') });
    },
  );

  it.each(['a', 'a-', 'a.', '-@'])('comes to an end of a condition of %s alone', (piece) => {
    expect(judge(piece.repeat(100_000), invoice)).toBeDefined();
  });

  it.each([
    ['mail from bob@acme.example.', 'bob@acme.example'],
    ['whatever @acme.example sends', 'acme.example'],
    ['of acme.example, or of nobody', 'acme.example'],
  ])('reads the name in: %s', (condition, name) => {
    expect(readCondition(condition).names).toEqual([name]);
  });

  it('is less sure of a condition that says more than it understands', () => {
    const [plain, more] = [judge('invoices', invoice), judge('overdue invoices', invoice)];
    expect(more?.confidence).toBeLessThan(plain?.confidence ?? 0);
  });
});
