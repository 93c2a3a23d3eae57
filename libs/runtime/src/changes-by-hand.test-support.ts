import { nothingChanges, type UseNewText } from './variable-changes.ts';

/** Replaces the files: a test sets the value of a variable. */
export function changesByHand() {
  const uses: { variable: string; use: UseNewText }[] = [];
  return {
    changes: { ...nothingChanges, on: (variable: string, use: UseNewText) => void uses.push({ variable, use }) },
    say: async (variable: string, text: string) => {
      for (const one of uses) if (one.variable === variable) await one.use(text);
    },
  };
}
