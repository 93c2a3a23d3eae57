import { bounds } from '@postroom/contract/bounds';

/** The frame of an answer around its result. */
const FRAME_BYTES = 2_048;

/** The bytes of a result in an answer, which has it twice: as JSON, and as a text that is JSON. */
function answerBytes(structured: unknown): number {
  const json = JSON.stringify(structured);
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json)) + FRAME_BYTES;
}

export function fits(structured: unknown): boolean {
  return answerBytes(structured) <= bounds.mcp.answerBytes;
}

/** The longest beginning of a list that fits into an answer, and at least one item. */
export function fittingItems<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const tooMany = items.findIndex((item, n) => {
    bytes += answerBytes(item) - FRAME_BYTES + 2;
    return bytes > bounds.mcp.answerBytes - 2 * FRAME_BYTES && n > 0;
  });
  return items.slice(0, tooMany === -1 ? items.length : tooMany);
}
