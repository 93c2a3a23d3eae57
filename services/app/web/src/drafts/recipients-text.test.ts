import { expect, it } from '@jest/globals';
import { recipientsText } from './recipients-text.ts';

it('names two recipients and counts the others, hidden copies included', () => {
  expect(recipientsText({ to: ['a@x.example'], cc: [], bcc: ['b@x.example'] })).toBe('a@x.example, b@x.example');
  expect(recipientsText({ to: ['a@x.example', 'b@x.example'], cc: ['c@x.example'], bcc: ['d@x.example'] })).toBe(
    'a@x.example, b@x.example and 2 more',
  );
});
