import type { TextMarks } from '@postroom/mime/text-marks';
import { decodeHTML } from 'entities';
import { linkName } from './links.ts';

const TARGET = /(?:^|\s)href\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i;
const WORDS = /(?:^|\s)alt\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i;
const LONGEST_TARGET = 2_000;
const LONGEST_WORDS = 200;
/** Places of the mail itself are no links. */
const OUTSIDE = /^(?:[a-z][a-z0-9+.-]*:|\/\/)/i;

/** Signs for links, images and lists in the text of a mail. The target of a link is always named: its text may name another. */
export function createMailMarks(): TextMarks {
  let target = '';
  return {
    onText: () => undefined,
    before: ({ name, isClosing, attributes }) => {
      if (name === 'li') return isClosing ? '' : '* ';
      if (name === 'img') return isClosing ? '' : imageName(valueOf(WORDS, attributes));
      if (name !== 'a') return '';
      const ended = target === '' ? '' : ` ${linkName(target)}`;
      const found = isClosing ? '' : valueOf(TARGET, attributes).slice(0, LONGEST_TARGET);
      target = OUTSIDE.test(found) ? found : '';
      return ended;
    },
  };
}

function imageName(words: string): string {
  const said = words.replace(/\s+/g, ' ').trim().slice(0, LONGEST_WORDS);
  return said === '' ? '' : ` [image: ${said}] `;
}

function valueOf(attribute: RegExp, attributes: string): string {
  const written = attribute.exec(attributes)?.[1] ?? '';
  return decodeHTML(written.replace(/^["']|["']$/g, '')).trim();
}
