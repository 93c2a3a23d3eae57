import { decodeHTML } from 'entities';
import type { Tag } from './html-tags.ts';

/** Signs that a text has in the place of markup. */
export interface TextMarks {
  before(tag: Tag): string;
  /** Text that is shown. */
  onText(text: string): void;
}

interface Link {
  target: string;
  /** The beginning of its text. */
  said: string;
}

const TARGET = /(?:^|\s)href\s*=\s*("[^"]*"|'[^']*'|[^\s"'>]+)/i;
const SHOWN = /^(?:https?:\/\/|mailto:|tel:)/i;
const LONGEST_TARGET = 2_000;

export function createTextMarks(): TextMarks {
  let link: Link | null = null;
  const endLink = (): string => {
    const ended = link;
    link = null;
    const said = ended?.said.trim() ?? '';
    const isSaid = ended === null || said === '' || ended.target.replace(/^(?:mailto|tel):/i, '') === said;
    return isSaid ? '' : ` [${ended.target}]`;
  };
  return {
    before: ({ name, isClosing, attributes }) => {
      if (name === 'li') return isClosing ? '' : '* ';
      if (name !== 'a') return '';
      const ended = endLink();
      const target = isClosing ? '' : targetOf(attributes);
      if (target !== '') link = { target, said: '' };
      return ended;
    },
    onText: (text) => {
      if (link && link.said.length <= LONGEST_TARGET) link.said += text;
    },
  };
}

function targetOf(attributes: string): string {
  const written = TARGET.exec(attributes)?.[1] ?? '';
  const target = decodeHTML(written.replace(/^["']|["']$/g, '')).trim();
  return SHOWN.test(target) && target.length <= LONGEST_TARGET && !/\s/.test(target) ? target : '';
}
