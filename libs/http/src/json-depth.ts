const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const OPENING = new Set([0x5b, 0x7b]);
const CLOSING = new Set([0x5d, 0x7d]);

/** Whether JSON nests deeper than this, by its brackets outside of strings; the text need not be valid. */
export function isDeeperThan(limit: number, bytes: Uint8Array): boolean {
  let depth = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) at = endOfString(bytes, at + 1);
    else if (OPENING.has(byte)) {
      if (++depth > limit) return true;
    } else if (CLOSING.has(byte)) depth--;
  }
  return false;
}

function endOfString(bytes: Uint8Array, from: number): number {
  for (let at = from; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at++;
    else if (bytes[at] === QUOTE) return at;
  }
  return bytes.length;
}
