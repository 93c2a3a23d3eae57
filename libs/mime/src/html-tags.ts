export interface Tag {
  name: string;
  /** Everything between the name and the closing bracket. */
  attributes: string;
  isClosing: boolean;
  /** Only pictures and formulas end by a slash: of other elements a browser ignores it. */
  isSelfClosed: boolean;
}

interface Item {
  /** The text before the tag, its entities not yet decoded. */
  text: string;
  tag: Tag | null;
}

const RAW_TEXT = new Set(['script', 'style', 'textarea', 'xmp', 'noembed', 'noframes']);
const ENDED_BY_SLASH = new Set(['svg', 'math']);
const TAG_START = /[a-z/!?]/i;
const LONGEST_ATTRIBUTES = 16_384;

interface Reader {
  html: string;
  position: number;
  /** Searches that failed once fail for ever after: without this a page of opened quotes costs the square of its length. */
  gone: Set<string>;
}

/** Reads a page tag by tag, as browsers forgive it. Returns null at the end. */
export function createTagReader(html: string): () => Item | null {
  const reader: Reader = { html, position: 0, gone: new Set() };
  return () => readItem(reader);
}

function readItem(reader: Reader): Item | null {
  const { html } = reader;
  if (reader.position >= html.length) return null;
  let start = html.indexOf('<', reader.position);
  while (start !== -1 && !TAG_START.test(html[start + 1] ?? '')) start = html.indexOf('<', start + 1);
  const text = html.slice(reader.position, start === -1 ? html.length : start);
  if (start === -1) {
    reader.position = html.length;
    return { text, tag: null };
  }
  reader.position = start;
  return { text, tag: readTag(reader) };
}

function readTag(reader: Reader): Tag | null {
  const { html, position } = reader;
  if (html.startsWith('<!--', position)) return skipPast(reader, '-->', position + 4);
  if (html[position + 1] === '!' || html[position + 1] === '?') return skipPast(reader, '>', position + 2);
  const isClosing = html[position + 1] === '/';
  const nameStart = position + (isClosing ? 2 : 1);
  const nameEnd = endOfName(html, nameStart);
  const end = endOfTag(reader, nameEnd);
  const attributes = html.slice(nameEnd, Math.min(end, nameEnd + LONGEST_ATTRIBUTES));
  const name = html.slice(nameStart, nameEnd).toLowerCase();
  reader.position = end + 1;
  if (!isClosing && RAW_TEXT.has(name)) skipRawText(reader, name);
  return { name, attributes, isClosing, isSelfClosed: ENDED_BY_SLASH.has(name) && endsWithSlash(attributes) };
}

/** The slash is no part of a value without quotes. */
function endsWithSlash(attributes: string): boolean {
  if (!attributes.endsWith('/')) return false;
  let start = attributes.length - 1;
  while (start > 0 && !/[\s"']/.test(attributes[start - 1] as string)) start -= 1;
  const last = attributes.slice(start, -1);
  return !last.includes('=') && (last === '' || !attributes.slice(0, start).trimEnd().endsWith('='));
}

function endOfName(html: string, start: number): number {
  let end = start;
  while (end < html.length && end - start < 64 && !/[\s/>]/.test(html[end] as string)) end += 1;
  return end;
}

/** Where the bracket of a tag closes; a bracket within a quoted value does not count. */
function endOfTag(reader: Reader, start: number): number {
  const { html } = reader;
  for (let position = start; position < html.length; position++) {
    const character = html[position] as string;
    if (character === '>') return position;
    if (character !== '"' && character !== "'") continue;
    const closing = find(reader, character, position + 1);
    if (closing !== -1) position = closing;
  }
  return html.length;
}

function skipPast(reader: Reader, mark: string, from: number): null {
  const found = find(reader, mark, from);
  reader.position = found === -1 ? reader.html.length : found + mark.length;
  return null;
}

function skipRawText(reader: Reader, name: string): void {
  const closing = new RegExp(`</${name}(?=[\\s/>])`, 'gi');
  closing.lastIndex = reader.position;
  reader.position = closing.exec(reader.html)?.index ?? reader.html.length;
}

function find(reader: Reader, mark: string, from: number): number {
  if (reader.gone.has(mark)) return -1;
  const found = reader.html.indexOf(mark, from);
  if (found === -1) reader.gone.add(mark);
  return found;
}
