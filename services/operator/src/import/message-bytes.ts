/** One message of an mbox. It has no bytes when it is larger than the limit. */
export interface MboxMessage {
  raw: Buffer | null;
  size: number;
}

/** The bytes of one message. Adjacent lines stay one piece, so that a large chunk is not cut into lines. */
export function createMessageBytes(limit: number) {
  let pieces: Buffer[] = [];
  let size = 0;
  let last: { bytes: Buffer; start: number; end: number } | undefined;

  const cleanUp = () => {
    if (last && size <= limit) pieces.push(last.bytes.subarray(last.start, last.end));
    last = undefined;
  };

  return {
    add: (bytes: Buffer, start: number, end: number) => {
      size += end - start;
      if (size > limit) pieces = [];
      if (last && last.bytes === bytes && last.end === start) {
        last.end = end;
        return;
      }
      cleanUp();
      last = { bytes, start, end };
    },
    finish: (): MboxMessage => {
      cleanUp();
      if (size > limit) return { raw: null, size };
      const raw = withoutBlankEnd(Buffer.concat(pieces));
      return { raw, size: raw.length };
    },
  };
}

/** Every message of an mbox is followed by an empty line that is not part of it. */
function withoutBlankEnd(raw: Buffer): Buffer {
  const text = raw.toString('latin1', Math.max(0, raw.length - 3));
  if (text.endsWith('\n\r\n') || text === '\r\n') return raw.subarray(0, -2);
  if (text.endsWith('\n\n') || text === '\n') return raw.subarray(0, -1);
  return raw;
}
