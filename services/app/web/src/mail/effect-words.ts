import type { EffectAnswer, UndoAnswer } from '@postroom/app/answers';

export const isUndoable = ({ undoneAt, staysBecause }: Pick<EffectAnswer, 'undoneAt' | 'staysBecause'>): boolean =>
  undoneAt === null && staysBecause === null;

/** The end of several undos in a sentence. The effects that stay say why in their rows. */
export function undoneWords(items: readonly UndoAnswer[]): string {
  const undone = items.filter(({ isUndone }) => isUndone).length;
  const stay = items.length - undone;
  return stay === 0 ? `Undone: ${undone}` : `Undone: ${undone}; not undone: ${stay}`;
}
