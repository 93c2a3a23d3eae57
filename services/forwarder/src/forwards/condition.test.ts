import { expect, it } from '@jest/globals';
import { appliesTo, type Candidate } from './condition.ts';

const email: Candidate = { sender: 'Billing@Shop.example', subject: 'Ihre Straßen-Rechnung 12', labels: ['Invoices'] };

it.each([
  ['label', 'invoices', true],
  ['label', 'Invoice', false],
  ['sender_contains', '@shop.', true],
  ['sender_contains', '@other.', false],
  ['sender_equals', 'billing@shop.example', true],
  ['sender_equals', 'billing@shop', false],
  ['subject_contains', 'STRASSEN-RECHNUNG', true],
  ['subject_contains', '.*', false],
  ['subject_equals', 'ihre straßen-rechnung 12', true],
  ['subject_equals', 'Ihre', false],
] as const)('%s "%s" applies: %s', (conditionField, conditionValue, applies) => {
  expect(appliesTo({ conditionField, conditionValue }, email)).toBe(applies);
});

it.each([
  '"ceo@bank.example"@evil.example',
  'ceo@bank.example evil@evil.example',
  'ceo@bank.example@evil.example',
  'ceo@bank.example\ufffd',
])('no condition on the sender applies to %s, which is no plain address', (sender) => {
  for (const conditionValue of ['ceo@bank.example', sender]) {
    expect(appliesTo({ conditionField: 'sender_contains', conditionValue }, { ...email, sender })).toBe(false);
    expect(appliesTo({ conditionField: 'sender_equals', conditionValue }, { ...email, sender })).toBe(false);
  }
  expect(appliesTo({ conditionField: 'label', conditionValue: 'invoices' }, { ...email, sender })).toBe(true);
});
