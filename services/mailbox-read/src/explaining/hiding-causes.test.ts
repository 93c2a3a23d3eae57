import { describe, expect, it } from '@jest/globals';
import type { ExplainedEmail } from './explanation-store.ts';
import { hidingCauses } from './hiding-causes.ts';

const email: ExplainedEmail = {
  _id: 'email_1',
  mailboxId: 'mbx_1',
  folderType: 'INBOX',
  labelIds: ['lbl_news', 'lbl_ads'],
  senderAddress: 'ann@acme.example',
  senderDomain: 'acme.example',
  folded: { subject: '\nyour weekly digest\n' } as ExplainedEmail['folded'],
};
const labels = [
  { _id: 'lbl_news', name: 'News', color: 'Blue', isAiLabel: false },
  { _id: 'lbl_ads', name: 'Ads', color: 'Red', isAiLabel: true },
];

describe('the causes that hide an email', () => {
  it('are the filters by sender, domain, subject and label, and the labels of hiding rules', () => {
    const filters = [
      { type: 'sender', value: 'ann@acme.example' },
      { type: 'domain', value: 'acme.example' },
      { type: 'subject', value: 'Weekly  Digest' },
      { type: 'label', value: 'lbl_news' },
    ] as const;
    expect(hidingCauses(email, { filters, hidingLabelIds: ['lbl_ads'], labels })).toEqual([
      { type: 'sender', value: 'ann@acme.example' },
      { type: 'domain', value: 'acme.example' },
      { type: 'subject', value: 'Weekly  Digest' },
      { type: 'label', value: 'News' },
      { type: 'ai_label', value: 'Ads' },
    ]);
  });

  it('are none where nothing matches, or only a label that is deleted', () => {
    const filters = [
      { type: 'domain', value: 'example' },
      { type: 'subject', value: 'monthly' },
      { type: 'label', value: 'lbl_gone' },
    ] as const;
    expect(hidingCauses(email, { filters, hidingLabelIds: ['lbl_other'], labels })).toEqual([]);
  });

  it('are none outside of the inbox', () => {
    const filters = [{ type: 'domain', value: 'acme.example' }] as const;
    expect(hidingCauses({ ...email, folderType: 'TRASH' }, { filters, hidingLabelIds: [], labels })).toEqual([]);
  });
});
