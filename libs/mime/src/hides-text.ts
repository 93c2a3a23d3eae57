import { decodeHTML } from 'entities';
import { createTagReader } from './html-tags.ts';
import { withoutInvisible } from './invisible.ts';
import { visibleText } from './visible-text.ts';

/** Elements whose text is read by nobody, or differs between mail programs. */
const UNREAD = new Set(['textarea', 'xmp', 'noembed', 'noframes', 'noscript', 'template', 'script', 'title']);

/** Whether a message holds text that its readers may not see: hidden elements, comments, characters without width. */
export function hidesText(html: string): boolean {
  if (html.includes('<!--')) return true;
  const next = createTagReader(html);
  const pieces: string[] = [];
  for (let item = next(); item; item = next()) {
    if (item.tag && UNREAD.has(item.tag.name)) return true;
    pieces.push(item.text);
  }
  return withoutSpace(visibleText(html).text) !== withoutSpace(decodeHTML(pieces.join('')));
}

const withoutSpace = (text: string): string => text.replace(/\s+/g, '');

/** The same of plain text. */
export const hidesCharacters = (text: string): boolean => withoutInvisible(text) !== text;
