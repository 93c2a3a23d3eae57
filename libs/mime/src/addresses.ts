import { type RawAddress, scanAddresses } from './address-scanner.ts';
import { cut } from './cut.ts';
import { decodeWords, plain } from './encoded-words.ts';
import { closingQuote, withoutQuotes } from './quoted.ts';

export interface Address {
  /** As it was written where it is no plain address: nobody is answered at it, and no rule takes it for another. */
  email: string;
  name: string | null;
}

const LONGEST_EMAIL = 998;
const LONGEST_NAME = 998;
/** These have no place in an address, and hide in spoofed ones. Taken out, they would make it another address. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;
/** "@relay,@other:user@host", as mail was routed of old (RFC 5322 §4.4). */
const SOURCE_ROUTE = /^(?:@[^\s@:,]+,?)+:/;
/** A local part that needs no quotes is the same without them (RFC 5322 §3.4.1). */
const QUOTED_PLAINLY = /^"([^\s"\\@<>()[\],;:.]+(?:\.[^\s"\\@<>()[\],;:.]+)*)"@/;

/** The addresses of a To, Cc or From field: groups dissolved, names decoded, domains in lower case. */
export function parseAddresses(field: string | undefined, most: number): Address[] {
  if (!field) return [];
  return scanAddresses(field, most)
    .map(readAddress)
    .filter(({ email, name }) => email !== '' || name !== null);
}

function readAddress({ text, isCut, angles, comment }: RawAddress): Address {
  const [first, second = first] = angles;
  if (first !== undefined && second !== undefined) {
    const [one, other] = [tidyEmail(first), tidyEmail(second)];
    // Programs differ in which of two pairs they read, so that two addresses are none.
    return { email: one === other ? one : `${one} ${other}`, name: displayName(text) ?? displayName(comment) };
  }
  const words = wordsOf(text);
  const [found, another] = words.filter((word) => withoutQuoted(word).includes('@'));
  if (found !== undefined && !isCut) {
    if (another !== undefined) return { email: tidyEmail(text), name: displayName(comment) };
    const others = words.filter((word) => word !== found);
    return { email: tidyEmail(found), name: displayName(others.join(' ')) ?? displayName(comment) };
  }
  // One word is a local user, as cron writes it; more words are somebody's name without an address.
  const [word = '', more] = words;
  const isLocalUser = more === undefined && !isCut && !/["\s]|=\?/.test(word);
  return isLocalUser
    ? { email: tidyEmail(word), name: displayName(comment) }
    : { email: '', name: displayName(text) ?? displayName(comment) };
}

/** Space in a quoted string or around an "@" separates nothing; space at a dot does in a name, and not in an address. */
function wordsOf(text: string): string[] {
  const words = [''];
  for (const piece of piecesOf(text)) {
    const [first = '', ...others] = piece.startsWith('"') ? [piece] : withoutGaps(piece).split(/(?<!\.) (?!\.)/);
    words[words.length - 1] += first;
    words.push(...others);
  }
  return words.filter((word) => word !== '');
}

/** Quoted strings, and what stands between them. */
function* piecesOf(text: string): Generator<string> {
  let from = 0;
  for (let open = text.indexOf('"'); open !== -1; open = text.indexOf('"', from)) {
    const close = closingQuote(text, open);
    if (close === -1) break;
    yield text.slice(from, open);
    yield text.slice(open, close + 1);
    from = close + 1;
  }
  yield text.slice(from);
}

const withoutQuoted = (text: string) => [...piecesOf(text)].filter((piece) => !piece.startsWith('"')).join('');

function displayName(text: string): string | null {
  // Quotes go before the encoded words are read: a quote inside a decoded name is part of the name.
  const name = plain(decodeWords(withoutQuotes(text)).replace(/\s+/g, ' '));
  return name === '' ? null : cut(name, LONGEST_NAME);
}

/** Encoded words are left as they are: they may not stand in an address, and decoded they could make one of another domain. */
function tidyEmail(text: string): string {
  const bare = [...piecesOf(text.trim().replace(/^<+/, ''))]
    .map((piece) => (piece.startsWith('"') ? piece : withoutGaps(piece)))
    .join('')
    .replace(UNSEEN, '\ufffd')
    .replace(SOURCE_ROUTE, '')
    .replace(/^mailto:/i, '')
    .replace(QUOTED_PLAINLY, '$1@');
  const email = cut(bare, LONGEST_EMAIL);
  const at = email.lastIndexOf('@');
  return at < 0 ? email : email.slice(0, at) + email.slice(at).toLowerCase();
}

/** Space around the "@" says nothing (RFC 5322 §4.4); any other is shown, and makes the address a doubtful one. */
function withoutGaps(text: string): string {
  return text.replace(/\s+/g, ' ').replaceAll(' @', '@').replaceAll('@ ', '@');
}
