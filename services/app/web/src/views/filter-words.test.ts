import { expect, it } from '@jest/globals';
import type { BuilderCondition } from './filter-tree.ts';
import { filterWords } from './filter-words.ts';

const condition = (label: BuilderCondition['label'], type: BuilderCondition['type'], value = ''): BuilderCondition => ({
  id: 'c',
  label,
  type,
  value,
});
const words = (...children: BuilderCondition[]) => filterWords({ id: 'g', kind: '_and', children }, () => 'Invoices');

it.each([
  ['All emails', words()],
  ['Unread', words(condition('read_status', 'is_false'))],
  [
    'Starred and Has no attachments',
    words(condition('star_status', 'is_true'), condition('has_attachments', 'is_false')),
  ],
  ['Subject contains “offer”', words(condition('subject', 'contains', 'offer'))],
  ['Label is “Invoices”', words(condition('label', 'contains', 'lbl_1'))],
  ['Date in the last 7 days', words(condition('date', 'in_last_days', '7'))],
])('says %j', (expected, said) => {
  expect(said).toBe(expected);
});
