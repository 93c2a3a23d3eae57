import { decodeText } from './charset.ts';
import { decodeWords, plain } from './encoded-words.ts';

/** A field such as Content-Type: a value and its parameters, by name in lower case. */
export interface Structured {
  value: string;
  parameters: ReadonlyMap<string, string>;
}

interface Piece {
  index: number;
  isEncoded: boolean;
  text: string;
}

const MOST_SEGMENTS = 300;
/** name, name*, name*0 and name*0* of RFC 2231. */
const NAME = /^([^*]+)(?:\*(\d{1,4}))?(\*)?$/;

export function parseStructured(field: string): Structured {
  const [first = '', ...rest] = segmentsOf(field);
  const parameters = new Map<string, string>();
  const pieces = new Map<string, Piece[]>();
  for (const segment of rest) {
    const equals = segment.indexOf('=');
    const match = equals < 1 ? null : NAME.exec(segment.slice(0, equals).trim().toLowerCase());
    if (!match) continue;
    const [, name = '', index, star] = match;
    const text = unquote(segment.slice(equals + 1).trim());
    if (index === undefined && !star) {
      if (!parameters.has(name)) parameters.set(name, decodeWords(text));
      continue;
    }
    const known = pieces.get(name) ?? [];
    pieces.set(name, known);
    known.push({ index: Number(index ?? 0), isEncoded: star !== undefined, text });
  }
  // The extended form wins where a sender gives both: the plain one is there for old programs.
  for (const [name, parts] of pieces) parameters.set(name, joinPieces(parts));
  const value = /^[^\s(;]*/.exec(first.trim())?.[0] ?? '';
  return { value: value.toLowerCase(), parameters };
}

/** Splits at semicolons that do not stand in quotes. */
function segmentsOf(field: string): string[] {
  const segments: string[] = [];
  let start = 0;
  let inQuotes = false;
  for (let position = 0; position < field.length && segments.length < MOST_SEGMENTS; position++) {
    const character = field[position];
    if (character === '\\' && inQuotes) position += 1;
    else if (character === '"') inQuotes = !inQuotes;
    else if (character === ';' && !inQuotes) {
      segments.push(field.slice(start, position));
      start = position + 1;
    }
  }
  segments.push(field.slice(start));
  return segments;
}

function unquote(text: string): string {
  if (!text.startsWith('"')) return text;
  const end = text.length > 1 && text.endsWith('"') ? -1 : text.length;
  return text.slice(1, end).replace(/\\(.)/g, '$1');
}

function joinPieces(pieces: readonly Piece[]): string {
  const ordered = pieces.toSorted((a, b) => a.index - b.index);
  const [first] = ordered;
  let charset = '';
  const bytes = ordered.map((piece) => {
    if (!piece.isEncoded) return Buffer.from(piece.text, 'utf8');
    const marked = piece === first ? /^([^']*)'[^']*'/.exec(piece.text) : null;
    charset = marked?.[1] ?? charset;
    return percentDecoded(piece.text.slice(marked?.[0].length ?? 0));
  });
  return plain(decodeText(Buffer.concat(bytes), charset));
}

function percentDecoded(text: string): Buffer {
  const binary = Buffer.from(text, 'utf8')
    .toString('latin1')
    .replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(binary, 'latin1');
}
