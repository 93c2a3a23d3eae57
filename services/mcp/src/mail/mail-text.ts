import { writtenText } from '@postroom/mime/visible-text';
import { createMailMarks } from './marks.ts';
import { safeText } from './safe-text.ts';

export { safeLine, safeLines } from './safe-text.ts';
export { fenced, pieceOf } from './boundary.ts';

export interface MailBody {
  html: string | null;
  text: string | null;
}

/** People are shown the html of a mail that has both forms, so the plain form may say anything at all. */
export function mailText({ html, text }: MailBody): string {
  const shown = html === null ? '' : safeText(writtenText(html, createMailMarks()));
  return shown === '' ? safeText(text ?? '') : shown;
}
