const PLUS = 43;
const MINUS = 45;

const sextets = new Int8Array(256).fill(-1);
for (const [value, letter] of [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].entries()) {
  sextets[letter.charCodeAt(0)] = value;
}

/** UTF-7 (RFC 2152) in one pass: the table library makes a decoder for each of its runs, and mail may hold a million. */
export function decodeUtf7(bytes: Buffer): string {
  const units = new Uint16Array(bytes.length);
  let length = 0;
  let start = -1;
  let bits = 0;
  let held = 0;
  for (const [position, byte] of bytes.entries()) {
    const sextet = start === -1 ? -1 : (sextets[byte] as number);
    if (sextet !== -1) {
      bits = ((bits << 6) | sextet) & 0x3fffff;
      held += 6;
      if (held < 16) continue;
      held -= 16;
      units[length++] = (bits >> held) & 0xffff;
      continue;
    }
    const isEmpty = start === position;
    const endsRun = start !== -1 && byte === MINUS;
    start = -1;
    if (endsRun && isEmpty) units[length++] = PLUS;
    if (endsRun) continue;
    if (byte !== PLUS) units[length++] = byte;
    else [start, bits, held] = [position + 1, 0, 0];
  }
  return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
}
