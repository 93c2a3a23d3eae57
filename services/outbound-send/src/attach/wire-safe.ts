const LF = 10;
const CR = 13;
/** More than a line on the wire may have (RFC 5321 4.5.3.1.6). */
const LONGEST_LINE = 998;
const LARGEST_ASCII = 127;

interface WireTraits {
  /** Lines of a bearable length without NUL: any server takes it, where it takes eight bits. */
  isSafe: boolean;
  isAscii: boolean;
  /** Its lines end in CR LF, and there is no single CR or LF. */
  hasPlainEnds: boolean;
}

/** The form in which foreign bytes would be sent unchanged. */
export function traitsOf(bytes: Buffer): WireTraits {
  let [isSafe, isAscii, hasPlainEnds] = [true, true, true];
  let lineStart = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] as number;
    if (byte > LARGEST_ASCII) isAscii = false;
    else if (byte === 0) isSafe = false;
    else if (byte === CR && bytes[at + 1] !== LF) hasPlainEnds = false;
    else if (byte === LF) {
      if (bytes[at - 1] !== CR) hasPlainEnds = false;
      if (at - lineStart > LONGEST_LINE + 1) isSafe = false;
      lineStart = at + 1;
    }
  }
  return { isSafe: isSafe && bytes.length - lineStart <= LONGEST_LINE, isAscii, hasPlainEnds };
}

/** A single CR or LF could end the message at a server that takes it for a line end. */
export function withPlainEnds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.toString('latin1').replace(/\r\n|\r|\n/g, '\r\n'), 'latin1');
}

const BYTES_A_LINE = 57;

/** In lines of base64. */
export function inBase64(bytes: Buffer): Buffer {
  const lines = Math.ceil(bytes.length / BYTES_A_LINE);
  const out = Buffer.allocUnsafe(Math.ceil(bytes.length / 3) * 4 + 2 * lines);
  let length = 0;
  for (let at = 0; at < bytes.length; at += BYTES_A_LINE) {
    const line = bytes.toString('base64', at, Math.min(bytes.length, at + BYTES_A_LINE));
    length += out.write(`${line}\r\n`, length, 'latin1');
  }
  return out.subarray(0, length);
}
