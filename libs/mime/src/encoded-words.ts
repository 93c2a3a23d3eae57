import { isAscii } from 'node:buffer';
import { decodeText } from './charset.ts';
import { decodeBase64, decodeWordEscapes } from './transfer.ts';

/** One encoded word of RFC 2047, with the language of RFC 2231 passed over. Spaces inside are wrong, and seen. */
const WORD = /=\?([^?*\s]{1,60})(?:\*[^?\s]{0,40})?\?([bBqQ])\?([^?]*)\?=/g;
const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Nobody encodes a text more often; one that goes on is somebody's trap. */
const MOST_TIMES = 5;

interface Run {
  charset: string;
  bytes: Buffer[];
  end: number;
}

/**
 * A header's text as a reader sees it. Line breaks and controls become spaces, so that no text can add a header. An
 * encoded word within an encoded word is decoded as well: the next reader would, wherever the text is passed on.
 */
export function decodeWords(text: string): string {
  let decoded = text;
  for (let times = 0; times < MOST_TIMES && decoded.includes('=?'); times++) {
    const before = decoded;
    decoded = joinRuns(before);
    if (decoded === before) return plain(decoded);
  }
  return plain(decoded.replaceAll('=?', '= ?'));
}

/**
 * A raw 8-bit byte inside an encoded word is against the rules, and a byte of that word's charset: it becomes the escape
 * that it should have been, before the block around it is read as text of another charset.
 */
export function escapeWords(block: Buffer): Buffer {
  if (isAscii(block) || !block.includes('=?')) return block;
  const text = block.toString('latin1').replace(WORD, (word, _charset, encoding: string) => {
    const isBase64 = encoding.toLowerCase() === 'b';
    return word.replace(/[\u0080-\u00ff]/g, (byte) => (isBase64 ? '' : `=${byte.charCodeAt(0).toString(16)}`));
  });
  return Buffer.from(text, 'latin1');
}

export function plain(text: string): string {
  return text.replace(CONTROLS, ' ').trim();
}

/** Neighbours of one charset are joined as bytes first: senders cut words in the middle of a character. */
function joinRuns(text: string): string {
  let out = '';
  let from = 0;
  let run: Run | undefined;
  const flush = () => {
    if (run) out += decodeText(Buffer.concat(run.bytes), run.charset);
    run = undefined;
  };
  for (const match of text.matchAll(WORD)) {
    const [whole, charset = '', encoding = '', payload = ''] = match;
    const gap = text.slice(from, match.index);
    // Space between two encoded words is only there to fold the line.
    if (gap.trim() !== '' || !run) {
      flush();
      out += gap;
    }
    if (run && run.charset !== charset.toLowerCase()) flush();
    run ??= { charset: charset.toLowerCase(), bytes: [], end: 0 };
    run.bytes.push(decodePayload(encoding, payload));
    from = match.index + whole.length;
  }
  flush();
  return out + text.slice(from);
}

function decodePayload(encoding: string, payload: string): Buffer {
  if (encoding === 'b' || encoding === 'B') return decodeBase64(Buffer.from(payload, 'latin1'));
  return decodeWordEscapes(Buffer.from(payload.replaceAll('_', ' '), 'utf8'));
}
