import { decodeText } from './charset.ts';
import type { Entity } from './entity.ts';
import { decodeTransfer } from './transfer.ts';

/** The text of a part, with line ends as LF. Past the limit it is cut: the beginning of a text is of use alone. */
export function readText(body: Buffer, { type, encoding }: Entity, limit: number): string {
  const decoded = decodeTransfer(body.subarray(0, limit * 2), encoding).subarray(0, limit);
  const charset = type.parameters.get('charset') ?? (type.value === 'text/html' ? charsetInHtml(decoded) : '');
  const text = decodeText(decoded, charset).replace(/\r\n?/g, '\n');
  if (type.value === 'text/html' || type.parameters.get('format')?.toLowerCase() !== 'flowed') return text;
  return unflow(text, type.parameters.get('delsp')?.toLowerCase() === 'yes');
}

/** A page that was sent without a charset in its header often names one in its head. */
function charsetInHtml(bytes: Buffer): string {
  const head = bytes.subarray(0, 2_048).toString('latin1');
  return /<meta[^>]{0,200}charset\s*=\s*["']?([\w.:-]{2,40})/i.exec(head)?.[1] ?? '';
}

/** RFC 3676: a line that ends in a space goes on in the next. */
function unflow(text: string, dropSpace: boolean): string {
  let out = '';
  for (const line of text.split('\n')) {
    const plain = line.startsWith(' ') ? line.slice(1) : line;
    const goesOn = plain.endsWith(' ') && plain !== '-- ';
    if (!goesOn) out += `${plain}\n`;
    else out += dropSpace ? plain.slice(0, -1) : plain;
  }
  return out.endsWith('\n') ? out.slice(0, -1) : out;
}
