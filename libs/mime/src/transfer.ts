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
for (const letter of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_') {
  isBase64[letter.charCodeAt(0)] = 1;
}

type Decoder = (bytes: Buffer) => Buffer;

const decoders: Readonly<Record<string, Decoder>> = {
  base64: decodeBase64,
  'quoted-printable': decodeQuotedPrintable,
  'x-uuencode': decodeUuencode,
  'x-uue': decodeUuencode,
  uuencode: decodeUuencode,
};

/** Undoes a Content-Transfer-Encoding; one that nobody knows leaves the bytes as they are. */
export function decodeTransfer(bytes: Buffer, encoding: string): Buffer {
  return (decoders[encoding] ?? asIs)(bytes);
}

/** How many bytes a part has once decoded, without making them where counting is enough. */
export function decodedSize(bytes: Buffer, encoding: string): number {
  if (encoding === 'base64') return sizeOfBase64(bytes);
  return decoders[encoding] ? decodeTransfer(bytes, encoding).length : bytes.length;
}

function asIs(bytes: Buffer): Buffer {
  return bytes;
}

export function decodeBase64(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1'), 'base64');
}

function sizeOfBase64(bytes: Buffer): number {
  let letters = 0;
  for (let position = 0; position < bytes.length; position++) letters += isBase64[bytes[position] as number] as number;
  return Math.floor((letters * 3) / 4);
}

/** Lenient as mail needs it: what is not a valid escape stands for itself. */
export function decodeQuotedPrintable(bytes: Buffer): Buffer {
  if (!bytes.includes(EQUALS)) return bytes;
  const out = Buffer.allocUnsafe(bytes.length);
  let length = 0;
  let position = 0;
  while (position < bytes.length) {
    const byte = bytes[position] as number;
    if (byte !== EQUALS) {
      out[length++] = byte;
      position += 1;
      continue;
    }
    const escaped = escapedByte(bytes, position);
    if (escaped >= 0) {
      out[length++] = escaped;
      position += 3;
      continue;
    }
    const next = afterSoftBreak(bytes, position + 1);
    if (next === -1) out[length++] = byte;
    position = next === -1 ? position + 1 : next;
  }
  return out.subarray(0, length);
}

function escapedByte(bytes: Buffer, position: number): number {
  const high = hexValue[bytes[position + 1] ?? 0] as number;
  const low = hexValue[bytes[position + 2] ?? 0] as number;
  return high < 0 || low < 0 ? -1 : high * 16 + low;
}

/** Where the line goes on after "=", or -1 where the "=" ends no line. Gateways leave spaces before the break. */
function afterSoftBreak(bytes: Buffer, start: number): number {
  let position = start;
  while (bytes[position] === SPACE || bytes[position] === TAB) position += 1;
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
