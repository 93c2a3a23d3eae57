import type { DateTime } from './types.ts';

/** A draft as a row of the list shows it. Its text is read with the draft alone. */
export interface DraftRowAnswer {
  id: string;
  /** The state of the draft that was read: a send or a change names it. */
  date: DateTime;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** The first words of the text. */
  snippet: string;
  attachmentCount: number;
  /** The rule that has prepared it. */
  ruleId: string | null;
  /** It leaves by itself at this time; null where it waits for a person. */
  sendAt: DateTime | null;
  isLeaving: boolean;
}

/** A draft in full, as it would leave. */
export interface DraftAnswer extends DraftRowAnswer {
  /** The text, or what mail programs show of the html. */
  text: string;
  html: string | null;
  /** It holds text that its readers may not see. */
  hidesText: boolean;
}
