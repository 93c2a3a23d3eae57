import type { AddressPart, EmailDocument, FoldedPart } from './documents/email.ts';
import { foldLines } from './fold.ts';
import { emailWords } from './words.ts';

/** Text beyond this is stored and shown, and not searched: one email must not crowd the index. */
const SEARCHED = 100_000;

export type Searchable = Pick<EmailDocument, 'folded' | 'words'>;
type SearchSource = Pick<EmailDocument, 'from' | 'to' | 'cc' | 'subject'>;

/** The search fields of an email, from its people, its subject and its visible text. */
export function searchable({ from, to, cc, subject }: SearchSource, text: string): Searchable {
  const people = [from, ...to, ...cc].flatMap(linesOf);
  const searched = text.slice(0, SEARCHED);
  const folded: FoldedPart = {
    from: foldLines(linesOf(from)),
    to: foldLines(to.flatMap(linesOf)),
    cc: foldLines(cc.flatMap(linesOf)),
    subject: foldLines([subject]),
    text: clip(foldLines([searched])),
  };
  return { folded, words: emailWords([subject, ...people].join('\n'), searched) };
}

function linesOf({ email, name }: AddressPart): string[] {
  return name === null ? [email] : [email, name];
}

/** Folding can make text longer: capitals of some signs are up to three. */
function clip(block: string): string {
  return block.length <= SEARCHED ? block : `${block.slice(0, SEARCHED)}\n`;
}
