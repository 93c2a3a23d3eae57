import { decodeHTML } from 'entities';
import { type Ground, PAPER } from './ground.ts';
import { createStyleReader, isHidden, type TextStyle, type Unseen, unseenIn } from './hiding.ts';
import { createTagReader, type Tag } from './html-tags.ts';
import { withoutInvisible } from './invisible.ts';
import type { Lines } from './line-height.ts';
import { createTextMarks, type TextMarks } from './text-marks.ts';

export interface VisibleText {
  text: string;
  /** Where the quoted earlier message begins in the text; its length where nothing is quoted. */
  quotedFrom: number;
}

const words = (list: string) => new Set(list.split(' '));
const BLOCKS = words(
  'p div br tr li ul ol dl dt dd table h1 h2 h3 h4 h5 h6 blockquote hr section article header footer main aside nav ' +
    'pre form fieldset address figure figcaption center body',
);
const CELLS = words('td th');
const PARAGRAPHS = words('p ul ol dl table h1 h2 h3 h4 h5 h6 blockquote');
const VOID = words('br hr img input meta link area base col embed source track wbr');
const QUOTES = /\b(gmail_quote|moz-cite-prefix|yahoo_quoted|protonmail_quote|OutlookMessageHeader)\b/;
/** The mark of byte order counts as white space in the language, and has no width in mail. */
const GAP = /[^\S\ufeff]+/g;
/** A page has none of these in its text, where it counts as white space. */
const PARAGRAPH_END = '\f';
/** Of text and of page: whoever needs more than this to say something does not say it to people. */
const LONGEST = 200_000;
const LONGEST_PAGE = 2_000_000;

interface Page {
  out: string;
  quotedFrom: number;
  hiddenBy: string | null;
  hiddenDepth: number;
  styleOf: (tag: Tag) => TextStyle;
  /** Null where the text is read by programs, which want neither marks nor gaps. */
  marks: TextMarks | null;
  /** The open elements that change how their text is seen, the innermost last. */
  surroundings: Surroundings[];
  /** The characters of lines that lie on each other. */
  piledUp: number;
}

interface Surroundings {
  name: string;
  /** The number of open elements of this name, itself included. */
  depth: number;
  ground: Ground;
  isSizeless: boolean;
  isInvisible: boolean;
  unseen: Unseen;
  lines: Lines;
}

const OUTERMOST: Omit<Surroundings, 'name' | 'depth'> = {
  ground: PAPER,
  isSizeless: false,
  isInvisible: false,
  unseen: null,
  lines: 'some',
};
/** A line is read also without a height, such as that of a footnote. Text that is piled on it is not. */
const MOST_PILED_UP = 200;

/** The text that a person reads: no markup, nothing hidden, one line per block. Linear in the length of the page. */
export function visibleText(html: string): VisibleText {
  const page = readPage(html, null);
  const end = page.quotedFrom === -1 ? page.out.length : page.quotedFrom;
  const own = tidyLines(page.out.slice(0, end));
  const quoted = tidyLines(page.out.slice(end));
  return { text: [own, quoted].filter((part) => part !== '').join('\n'), quotedFrom: own.length };
}

/** The page as somebody would write it without html: gaps between paragraphs, and marks such as those of lists and links. */
export function writtenText(html: string, marks: TextMarks = createTextMarks()): string {
  return readPage(html, marks)
    .out.split(PARAGRAPH_END)
    .map(tidyLines)
    .filter((paragraph) => paragraph !== '')
    .join('\n\n');
}

function readPage(html: string, marks: TextMarks | null): Page {
  const read = html.slice(0, LONGEST_PAGE);
  const styleOf = createStyleReader(read);
  const page: Page = {
    out: '',
    quotedFrom: -1,
    hiddenBy: null,
    hiddenDepth: 0,
    styleOf,
    marks,
    surroundings: [],
    piledUp: 0,
  };
  const next = createTagReader(read);
  for (let item = next(); item && page.out.length < LONGEST; item = next()) {
    if (item.text !== '' && isShown(page, item.text)) addText(page, item.text);
    if (item.tag) onTag(page, item.tag);
  }
  return page;
}

/** A gap is a gap of any size. */
function isShown(page: Page, text: string): boolean {
  if (page.hiddenBy !== null) return false;
  const around = page.surroundings.at(-1) ?? OUTERMOST;
  if (isGone(around)) return text.trim() === '';
  if (around.lines === 'some' || text.trim() === '') return true;
  page.piledUp += text.length;
  return page.piledUp <= MOST_PILED_UP;
}

const isGone = ({ isSizeless, isInvisible, unseen, lines }: typeof OUTERMOST): boolean =>
  isSizeless || isInvisible || unseen !== null || lines === 'none';

function addText(page: Page, text: string): void {
  const piece = text.slice(0, LONGEST);
  const decoded = piece.includes('&') ? decodeHTML(piece) : piece;
  const shown = decoded.replace(GAP, ' ');
  page.out += shown;
  page.marks?.onText(shown);
}

function onTag(page: Page, tag: Tag): void {
  if (page.hiddenBy !== null) return followHidden(page, tag);
  if (BLOCKS.has(tag.name)) page.out += page.marks && PARAGRAPHS.has(tag.name) ? PARAGRAPH_END : '\n';
  if (CELLS.has(tag.name)) page.out += ' ';
  if (page.marks) page.out += page.marks.before(tag);
  followSurroundings(page, tag);
  if (tag.isClosing) return;
  if (page.quotedFrom === -1 && isQuote(tag)) page.quotedFrom = page.out.length;
  if (VOID.has(tag.name) || tag.isSelfClosed) return;
  const style = page.styleOf(tag);
  const around = page.surroundings.at(-1) ?? OUTERMOST;
  if (!isHidden(tag, style) && enterSurroundings(page, tag, style, around)) return;
  page.hiddenBy = tag.name;
  page.hiddenDepth = 1;
}

/** Bounds the work for a page that nests without end. */
const MOST_SURROUNDINGS = 100;

/** False where there are too many, and this one would hide its text. */
function enterSurroundings({ surroundings }: Page, { name }: Tag, style: TextStyle, around: typeof OUTERMOST): boolean {
  const { ground, size, isVisible, lines = around.lines } = style;
  const isSizeless = size === undefined ? around.isSizeless : size === 'none';
  const isInvisible = isVisible === undefined ? around.isInvisible : !isVisible;
  const unseen = unseenIn(style, around.unseen, around.ground);
  const isAsAround =
    !ground &&
    isSizeless === around.isSizeless &&
    isInvisible === around.isInvisible &&
    unseen === around.unseen &&
    lines === around.lines;
  if (isAsAround) return true;
  const seen = { ground: ground ? ground.color : around.ground, isSizeless, isInvisible, unseen, lines };
  if (surroundings.length >= MOST_SURROUNDINGS) return !isGone(seen);
  surroundings.push({ name, depth: 1, ...seen });
  return true;
}

function followSurroundings({ surroundings }: Page, tag: Tag): void {
  const { name, isClosing, isSelfClosed } = tag;
  const innermost = surroundings.at(-1);
  if (!innermost) return;
  if (endsParagraph(innermost.name, tag)) innermost.depth = 0;
  else if (innermost.name === name && !isSelfClosed) innermost.depth += isClosing ? -1 : 1;
  if (innermost.depth === 0) surroundings.pop();
}

/** A paragraph ends where the next block begins; left open, it would hide the rest of the page. */
function endsParagraph(open: string | null, { name, isClosing }: Tag): boolean {
  return open === 'p' && !isClosing && BLOCKS.has(name) && name !== 'br';
}

/** Inside a hidden element only its own name counts, until as many were closed as were opened. */
function followHidden(page: Page, tag: Tag): void {
  const endsHere = endsParagraph(page.hiddenBy, tag);
  if (endsHere || (tag.name === 'body' && tag.isClosing)) page.hiddenDepth = 0;
  else if (tag.name === page.hiddenBy && !tag.isSelfClosed) page.hiddenDepth += tag.isClosing ? -1 : 1;
  if (page.hiddenDepth > 0) return;
  page.hiddenBy = null;
  if (endsHere) onTag(page, tag);
}

function isQuote(tag: Tag): boolean {
  return tag.name === 'blockquote' || (tag.attributes !== '' && QUOTES.test(tag.attributes));
}

function tidyLines(text: string): string {
  return withoutInvisible(text)
    .split('\n')
    .map((line) => line.replace(/ {2,}/g, ' ').trim())
    .filter((line) => line !== '')
    .join('\n');
}

/** Plain text as html of its own, for a message whose other pieces are html. */
export function textAsHtml(text: string): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return `<div style="white-space: pre-wrap">${escaped}</div>`;
}
