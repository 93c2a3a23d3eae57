import { fstatSync, readSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { FRAME_HEADER } from './journal-format.ts';

const WINDOW = 8 * 1024 * 1024;

/** Reads frames from a file until its end or the first one that is torn; `end` is where the last good one ended. */
export function readFrames(
  file: number,
  onFrame: (payload: Buffer) => void,
  start = 0,
): { end: number; torn: boolean } {
  const { size } = fstatSync(file);
  let window = Buffer.alloc(0);
  let windowStart = start;
  let end = start;
  const need = (at: number, length: number): Buffer | undefined => {
    if (at + length > size) return undefined;
    if (at < windowStart || at + length > windowStart + window.length) {
      window = Buffer.allocUnsafeSlow(Math.min(size - at, Math.max(WINDOW, length)));
      let filled = 0;
      while (filled < window.length) {
        const count = readSync(file, window, filled, window.length - filled, at + filled);
        if (count === 0) return undefined;
        filled += count;
      }
      windowStart = at;
    }
    return window.subarray(at - windowStart, at - windowStart + length);
  };
  while (end < size) {
    const header = need(end, FRAME_HEADER);
    if (!header) return { end, torn: true };
    const length = header.readUInt32LE(0);
    const sum = header.readUInt32LE(4);
    const payload = need(end + FRAME_HEADER, length);
    if (!payload || crc32(payload) !== sum) return { end, torn: true };
    onFrame(payload);
    end += FRAME_HEADER + length;
  }
  return { end, torn: false };
}
