import { withoutInvisible } from './invisible.ts';
import { visibleText, type VisibleText } from './visible-text.ts';

/** Where a mail comes in two forms the html is what people are shown; the other may say anything at all. */
export function shownText({ html, text }: { html: string | null; text: string | null }): VisibleText {
  const seen = html === null ? null : visibleText(html);
  if (seen && seen.text !== '') return seen;
  const plain = withoutInvisible(text ?? '');
  return { text: plain, quotedFrom: plain.length };
}
