const EQUALS = 61;
const LF = 10;
const CR = 13;
const SPACE = 32;
const TAB = 9;

const hexValue = new Int8Array(256).fill(-1);
for (const [value, digits] of [...'0123456789ABCDEF'].entries()) {
  hexValue[digits.charCodeAt(0)] = value;
  hexValue[digits.toLowerCase().charCodeAt(0)] = value;
}

const isBase64 = new Uint8Array(256);
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/') {
  isBase64[letter.charCodeAt(0)] = 1;
}

type Decoder = (bytes: Buffer) => Buffer;

const decoders: ReadonlyMap<string, Decoder> = new Map([
  ['base64', decodeBase64],
  ['quoted-printable', decodeQuotedPrintable],
  ['x-uuencode', decodeUuencode],
  ['x-uue', decodeUuencode],
  ['uuencode', decodeUuencode],
]);

/** Decodes a Content-Transfer-Encoding. An unknown encoding leaves the bytes unchanged. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  return (decoders.get(encoding) ?? asIs)(bytes);
}

/** The decoded size of a part. For base64 it counts letters instead of decoding them. */
export function decodedSize(bytes: Buffer, encoding: string): number {
  if (encoding === 'base64') return sizeOfBase64(bytes);
  return decodeTransfer(bytes, encoding).length;
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

/** Node.js also decodes the two letters of base64url. Mail ignores them like other invalid bytes (RFC 2045 §6.8). */
export function decodeBase64(bytes: Buffer): Buffer {
  const text = bytes.toString('latin1');
  return Buffer.from(/[-_]/.test(text) ? text.replace(/[-_]+/g, '') : text, 'base64');
}

function sizeOfBase64(bytes: Buffer): number {
  let letters = 0;
  for (let position = 0; position < bytes.length; position++) letters += isBase64[bytes[position] as number] as number;
  return Math.floor((letters * 3) / 4);
}

/**
 * The body of a part: white space at the end of its lines was added on the way, and goes (RFC 2045 §6.7). Lenient as
 * mail needs it: what is not a valid escape stands for itself.
 */
function decodeQuotedPrintable(bytes: Buffer): Buffer {
  return bytes.includes(EQUALS) || endsLinesInSpace(bytes) ? decodeEscapes(bytes, true) : bytes;
}

/** The same escapes within an encoded word, where every space counts. */
export function decodeWordEscapes(bytes: Buffer): Buffer {
  return bytes.includes(EQUALS) ? decodeEscapes(bytes, false) : bytes;
}

const SPACED_ENDS = [' \n', ' \r', '\t\n', '\t\r'];

function endsLinesInSpace(bytes: Buffer): boolean {
  return isSpace(bytes.at(-1)) || SPACED_ENDS.some((end) => bytes.includes(end, 0, 'latin1'));
}

function decodeEscapes(bytes: Buffer, dropsSpace: boolean): Buffer {
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let position = 0;
  /** Up to here everything was escaped or stands before a soft break: such a space was meant. */
  let meant = 0;
  const dropSpace = () => {
    while (dropsSpace && length > meant && isSpace(out[length - 1])) length -= 1;
  };
  while (position < bytes.length) {
    const byte = bytes[position] as number;
    if (byte !== EQUALS) {
      if (byte === LF || (byte === CR && bytes[position + 1] === LF)) dropSpace();
      out[length++] = byte;
      position += 1;
      continue;
    }
    const escaped = escapedByte(bytes, position);
    const next = escaped < 0 ? afterSoftBreak(bytes, position + 1) : position + 3;
    if (escaped >= 0) out[length++] = escaped;
    else if (next === -1) out[length++] = byte;
    if (next !== -1) meant = length;
    position = next === -1 ? position + 1 : next;
  }
  dropSpace();
  return out.subarray(0, length);
}

function isSpace(byte: number | undefined): boolean {
  return byte === SPACE || byte === TAB;
}

function escapedByte(bytes: Buffer, position: number): number {
  const high = hexValue[bytes[position + 1] ?? 0] as number;
  const low = hexValue[bytes[position + 2] ?? 0] as number;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Where the line goes on after "=", or -1 where the "=" ends no line. Gateways leave spaces before the break. */
function afterSoftBreak(bytes: Buffer, start: number): number {
  let position = start;
  while (isSpace(bytes[position])) position += 1;
  if (bytes[position] === CR) position += 1;
  if (position >= bytes.length) return bytes.length;
  return bytes[position] === LF ? position + 1 : -1;
}

function decodeUuencode(bytes: Buffer): Buffer {
  const pieces: Buffer[] = [];
  for (const line of bytes.toString('latin1').split(/\r?\n/)) {
    if (line.startsWith('begin ') || line === 'end' || line === '') continue;
    pieces.push(decodeUuLine(line));
  }
  return Buffer.concat(pieces);
}

function decodeUuLine(line: string): Buffer {
  const length = (line.charCodeAt(0) - 32) & 63;
  const out = Buffer.alloc(length);
  const six = (position: number) => ((line.charCodeAt(position) || 32) - 32) & 63;
  for (let made = 0, read = 1; made < length; made += 3, read += 4) {
    const bits = (six(read) << 18) | (six(read + 1) << 12) | (six(read + 2) << 6) | six(read + 3);
    for (let offset = 0; offset < 3 && made + offset < length; offset++) {
      out[made + offset] = (bits >> (16 - 8 * offset)) & 255;
    }
  }
  return out;
}
