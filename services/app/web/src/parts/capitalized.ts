/** With a capital letter, as words stand at the beginning of a cell or a badge. */
export const capitalized = (words: string): string => words.slice(0, 1).toUpperCase() + words.slice(1);
