import type { OtherReader } from './address-parsers.ts';
import type { Difference } from './known-differences.ts';

/** Of which entries another parser reads other people than we do, who is right, and the section that decides. */
interface AddressDifference {
  kind: string;
  readers: OtherReader[];
  right: Difference['right'];
  why: string;
}

type Row = readonly [kind: string, readers: string, right: Difference['right'], why: string];

const LEGACY = 'RFC 5322 §3.4 knows comments as names of old; Python shows none';
const NOT_DECODED = 'RFC 2047 §5: a phrase may hold encoded words; nodemailer leaves them to its caller';
const NESTED = 'RFC 5322 §3.2.2: comments nest and hold quoted pairs; postal-mime takes the address out of one';
const IN_BRACKETS = 'RFC 5322 §3.4.1: comments may stand around each part of an address; postal-mime keeps them';
const SPACES = 'RFC 5322 §3.4.1: space around the "@" says nothing';
const DIVIDED = 'RFC 5322 §3.2.2: a comment divides words, and two words are no domain; shown, and never answered';
const QUOTED_LOCAL = 'RFC 5322 §3.4.1: the quotes are part of the address; without them it is another';
const COMMENT_ALONE = 'RFC 5322 §3.4: a comment is no mailbox, whatever it holds';
const TWO = 'RFC 5322 §3.4: one mailbox, one address; we show both, and answer neither';
const NAME_ALONE =
  'RFC 5322 §3.4: an entry without "@" has no address; we keep the name, and a quoted one is not answered';
const ENCODED = 'RFC 2047 §5: an encoded word is never a part of an address; it is a name, or shown as it is';
const NO_QUOTES_THERE = 'RFC 5322 §3.4.1: no quoted string in a domain, or beside a word; shown, and never answered';
const NO_GRAMMAR = 'RFC 5322 §3.4 allows a phrase only before brackets; Python makes one local part of all words';
const UNCLOSED = 'RFC 5322 §3.2 has no such sign alone; we pass over it, so that it hides nobody';
const INCOMPLETE = 'RFC 5322 §3.4.1: an address has two parts; shown as it is, and never answered';

const rows: readonly Row[] = [
  ['an encoded name', 'nodemailer', 'both', NOT_DECODED],
  ['an encoded address as name', 'nodemailer', 'both', NOT_DECODED],
  ['an encoded list as name', 'nodemailer', 'both', NOT_DECODED],
  ['a comment behind', 'python', 'both', LEGACY],
  ['an address in a comment behind', 'python', 'both', LEGACY],
  ['an address in a comment before', 'python', 'both', LEGACY],
  ['nested comments', 'postal', 'we', NESTED],
  ['an escaped bracket in a comment', 'postal', 'we', NESTED],
  ['a comment before the address in brackets', 'postal', 'we', IN_BRACKETS],
  ['a comment behind the address in brackets', 'postal', 'we', IN_BRACKETS],
  ['a comment before the @', 'postal', 'we', IN_BRACKETS],
  ['comments around the @ without brackets', 'python, postal, nodemailer', 'we', `${SPACES}; ${LEGACY}`],
  ['spaces around the @', 'postal', 'we', SPACES],
  ['spaces around the @ in brackets', 'postal', 'we', SPACES],
  [
    'spaces around a dot',
    'python, nodemailer',
    'they',
    'RFC 5322 §4.4 allows them as obsolete, as Python reads; parsers name different people, so that we show and never answer',
  ],
  [
    'a space before a dot',
    'python, postal, nodemailer',
    'nobody',
    'RFC 5322 §4.4 makes it one domain; we show it, and never answer',
  ],
  ['a comment within a word of the domain', 'python, postal, nodemailer', 'we', DIVIDED],
  ['a comment within a word of the domain without brackets', 'python, postal', 'we', DIVIDED],
  ['a comment within a word of the local part', 'python, postal, nodemailer', 'we', DIVIDED],
  ['a quoted local part', 'postal', 'we', QUOTED_LOCAL],
  ['an address as local part', 'postal', 'we', QUOTED_LOCAL],
  ['a local part that closes a bracket', 'postal', 'we', QUOTED_LOCAL],
  ['a source route', 'postal', 'we', 'RFC 5322 §4.4: the route is to be ignored'],
  ['a comment in an empty group', 'postal, nodemailer', 'we', COMMENT_ALONE],
  ['a comment as entry', 'postal, nodemailer', 'we', COMMENT_ALONE],
  [
    'semicolons',
    'python',
    'nobody',
    'RFC 5322 §3.4 separates by commas; Outlook writes semicolons, and Python loses people',
  ],
  ['two addresses without a comma', 'python, postal, nodemailer', 'we', TWO],
  ['two pairs of brackets', 'python, postal, nodemailer', 'we', TWO],
  ['two addresses in brackets', 'python, nodemailer', 'we', TWO],
  [
    'a name with a comma',
    'postal, nodemailer',
    'nobody',
    'RFC 5322 §3.4: the comma separates; nodemailer guesses what was meant',
  ],
  [
    'an address as name without quotes',
    'python',
    'we',
    'RFC 5322 §3.4: the address is in the brackets, where there are any',
  ],
  ['a word before an address', 'python', 'nobody', NO_GRAMMAR],
  ['a quoted address before an address', 'python', 'nobody', NO_GRAMMAR],
  ['a quoted address behind an address', 'python', 'nobody', NO_GRAMMAR],
  ['a quoted address alone', 'python, postal, nodemailer', 'we', NAME_ALONE],
  ['a quoted pair of brackets alone', 'python, postal, nodemailer', 'we', NAME_ALONE],
  ['a quoted address and a word', 'python, postal, nodemailer', 'we', NAME_ALONE],
  [
    'an address in a comment alone',
    'python, postal, nodemailer',
    'both',
    `${LEGACY}; the others pass over either part`,
  ],
  ['an address in a comment beside empty brackets', 'python, postal', 'we', COMMENT_ALONE],
  ['a quoted address as domain', 'python, postal, nodemailer', 'we', NO_QUOTES_THERE],
  ['a quoted address in a domain', 'python', 'both', NO_QUOTES_THERE],
  ['a quoted string within a local part', 'python, postal, nodemailer', 'we', NO_QUOTES_THERE],
  ['an encoded address', 'python, nodemailer', 'we', ENCODED],
  ['an encoded address in brackets', 'python', 'we', ENCODED],
  ['an encoded pair of brackets', 'python, postal, nodemailer', 'we', ENCODED],
  ['an encoded local part with an @', 'python, postal', 'we', ENCODED],
  ['empty brackets', 'python', 'both', INCOMPLETE],
  [
    'brackets in brackets',
    'python, postal, nodemailer',
    'nobody',
    'RFC 5322 §3.4 allows one pair; the address is the same to most',
  ],
  [
    'a bracket that never closes',
    'python, nodemailer',
    'nobody',
    'RFC 5322 §3.4: what stands behind it is shown, and is no address',
  ],
  [
    'a bracket that never opens',
    'python, postal, nodemailer',
    'nobody',
    'RFC 5322 §3.4: the sign is shown, and makes it no address',
  ],
  ['a quote that never closes', 'python, postal, nodemailer', 'nobody', UNCLOSED],
  ['a comment that never closes', 'python, postal, nodemailer', 'nobody', UNCLOSED],
  ['a comment that never opens', 'python', 'nobody', UNCLOSED],
  ['two @', 'python', 'both', INCOMPLETE],
  ['no domain', 'python', 'both', INCOMPLETE],
  ['no local part', 'python', 'both', INCOMPLETE],
  [
    'a local user',
    'postal, nodemailer',
    'nobody',
    'RFC 5322 §3.4.1: an address has a domain; we keep the word as address, they as name',
  ],
  ['a name alone', 'python', 'nobody', NAME_ALONE],
];

export const addressDifferences: readonly AddressDifference[] = rows.map(([kind, readers, right, why]) => ({
  kind,
  readers: readers.split(', ') as OtherReader[],
  right,
  why,
}));
