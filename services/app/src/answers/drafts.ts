import type { DateTime } from './words.ts';

/** A draft in full, as it would leave. */
export interface DraftAnswer {
  id: string;
  /** The state of the draft that was read: a send or a change names it. */
  date: DateTime;
  from: string;
  to: string[];
  cc: string[];
  bcc: string[];
  subject: string;
  /** The text, or what mail programs show of the html; null while its provider cannot be asked for it. */
  text: string | null;
  html: string | null;
  /** It holds text that its readers may not see. */
  hidesText: boolean;
  attachmentCount: number;
  /** The rule that has prepared it. */
  ruleId: string | null;
  /** It leaves by itself at this time; null where it waits for a person. */
  sendAt: DateTime | null;
  isLeaving: boolean;
}
