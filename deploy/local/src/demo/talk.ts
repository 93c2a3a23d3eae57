/** A conversation as data: the texts of its letters in order. */
export interface Talk {
  subject: string;
  turns: readonly string[];
  /** The attachment of one of the letters. */
  attaches?: string;
}
