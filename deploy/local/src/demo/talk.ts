/** A conversation as data: what its letters say, turn by turn. */
export interface Talk {
  subject: string;
  turns: readonly string[];
  /** The file that comes with one of the letters. */
  attaches?: string;
}
