import { expect, it } from '@jest/globals';
import { isUndoable, undoneWords } from './effect-words.ts';

it('an effect is offered for undo while it is neither undone nor changed by a person', () => {
  const at = '2026-01-01T00:00:00Z';
  expect(isUndoable({ undoneAt: null, staysBecause: null })).toBe(true);
  expect(isUndoable({ undoneAt: at, staysBecause: null })).toBe(false);
  expect(isUndoable({ undoneAt: null, staysBecause: 'A message that was sent cannot be undone.' })).toBe(false);
});

it('the end of several undos counts those that stay', () => {
  const one = { effectId: 'eff_1', isUndone: true, because: null };
  expect(undoneWords([one, one])).toBe('Undone: 2');
  expect(undoneWords([one, { ...one, isUndone: false, because: 'It was sent.' }])).toBe('Undone: 1; not undone: 1');
});
