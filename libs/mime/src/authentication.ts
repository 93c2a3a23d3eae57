import { closingQuote, commentEnd } from './quoted.ts';

const OPENING = /["(]/g;
const RESULT = /;\s*(spf|dkim|dmarc)(?:\s*\/\s*\d{1,4})?\s*=\s*([a-z]{1,20})/gi;
const DMARC = /;\s*dmarc\s*=\s*([a-z]+)/gi;
/** The domain asks for nothing, or nobody could be asked: that is no failure. */
const NOT_FAILED = new Set(['pass', 'bestguesspass', 'none']);

/** The results of the receiving server's checks of a sender, by method: a word of RFC 8601, or several where it found several. */
export interface Authentication {
  spf: string | null;
  dkim: string | null;
  dmarc: string | null;
}

/** The results in the topmost field, which is the one of the receiving server. Null where there is no field. */
export function authenticationIn([own]: readonly string[]): Authentication | null {
  if (own === undefined) return null;
  const found = [...withoutComments(own).matchAll(RESULT)];
  const of = (method: string) => {
    const said = found.filter(([, name = '']) => name.toLowerCase() === method);
    const words = new Set(said.map(([, , result = '']) => result.toLowerCase()));
    return words.size === 0 ? null : [...words].join(', ');
  };
  return { spf: of('spf'), dkim: of('dkim'), dmarc: of('dmarc') };
}

/**
 * Whether the receiving server says that a message fails DMARC. The topmost field is its own (RFC 8601), and those of
 * the same name with it; a sender who puts some of his own there can make it worse and never better.
 */
export function failsDmarc(fields: readonly string[]): boolean {
  const [own] = fields;
  if (own === undefined) return false;
  const server = serverOf(own);
  return fields
    .filter((field) => serverOf(field) === server)
    .some((field) => [...withoutComments(field).matchAll(DMARC)].some(([, said = '']) => isFailure(said)));
}

function isFailure(said: string): boolean {
  return !NOT_FAILED.has(said.toLowerCase());
}

function serverOf(field: string): string {
  return withoutComments(field).split(';', 1).join('').trim().split(/\s/, 1).join('').toLowerCase();
}

/**
 * A sender can write what he likes into comments and quoted strings. Both are left out in one pass, so that parentheses
 * in two quoted strings do not make a comment of the words between them. One that never closes stays.
 */
function withoutComments(field: string): string {
  let bare = '';
  let from = 0;
  for (const { 0: sign, index } of field.matchAll(OPENING)) {
    if (index < from) continue;
    const end = sign === '(' ? commentEnd(field, index) : closingQuote(field, index) + 1 || -1;
    if (end === -1) break;
    bare += `${field.slice(from, index)} `;
    from = end;
  }
  return bare + field.slice(from);
}
