/** A piece of a stream that holds one line, or a part of a very long one. */
export interface LinePiece {
  bytes: Buffer;
  start: number;
  end: number;
  /** Whether the line begins, and ends, in this piece. */
  begins: boolean;
  ends: boolean;
}

const LF = 0x0a;

/**
 * Cuts a stream into lines without copying them. The first piece of a line has at least `needed` bytes, or the whole
 * line, so that a reader can recognise it. Of an endless line no more than that is kept back.
 */
export function createLineCutter(needed: number) {
  let held: Buffer = Buffer.alloc(0);
  let isMidLine = false;

  return {
    *push(chunk: Buffer): Generator<LinePiece> {
      const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
      held = Buffer.alloc(0);
      for (let start = 0; start < bytes.length;) {
        const newline = bytes.indexOf(LF, start);
        const ends = newline >= 0;
        const end = ends ? newline + 1 : bytes.length;
        if (!ends && !isMidLine && end - start < needed) {
          held = Buffer.from(bytes.subarray(start));
          return;
        }
        yield { bytes, start, end, begins: !isMidLine, ends };
        isMidLine = !ends;
        start = end;
      }
    },
    *end(): Generator<LinePiece> {
      if (held.length > 0) yield { bytes: held, start: 0, end: held.length, begins: true, ends: true };
      held = Buffer.alloc(0);
    },
  };
}
