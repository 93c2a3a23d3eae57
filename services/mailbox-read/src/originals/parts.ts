import { contentIdOf } from '@postroom/mime/content-id';
import { carriedImageBounds, rasterTypeOf, type RasterType } from '@postroom/mime/image-type';
import { MimeRefused } from '@postroom/mime/message-bounds';
import { type AttachedPart, type Original, readOriginal } from '@postroom/mime/original';
import { decodeTransfer } from '@postroom/mime/transfer';

/** The parts of a message that a caller asks for. */
export type AskedParts = { kind: 'attachment'; position: number } | { kind: 'images'; contentIds: readonly string[] };

interface FoundAttachment {
  filename: string;
  mimeType: string;
  content: Uint8Array;
}

interface FoundImage {
  contentId: string;
  mimeType: RasterType;
  content: Uint8Array;
}

export type FoundParts =
  | { kind: 'attachment'; attachment: FoundAttachment | null }
  | { kind: 'images'; images: FoundImage[] }
  | { kind: 'refused' };

/** Takes what is asked for out of a raw message. */
export function partsOf(raw: Buffer, asked: AskedParts): FoundParts {
  try {
    const original = readOriginal(raw);
    if (asked.kind === 'images') return { kind: 'images', images: imagesIn(original, asked.contentIds) };
    const part = original.attached[asked.position];
    return { kind: 'attachment', attachment: part ? toAttachment(original, part) : null };
  } catch (error) {
    if (error instanceof MimeRefused) return { kind: 'refused' };
    throw error;
  }
}

const contentOf = ({ raw }: Original, { entity: { start, end, encoding } }: AttachedPart): Buffer =>
  decodeTransfer(raw.subarray(start, end), encoding);

function toAttachment(original: Original, part: AttachedPart): FoundAttachment {
  const { filename, mimeType } = part;
  return { filename, mimeType, content: contentOf(original, part) };
}

/** The first part of each id; those that are too large for what is left, and what is no picture, stay out. */
function imagesIn(original: Original, contentIds: readonly string[]): FoundImage[] {
  const wanted = new Set(contentIds.slice(0, carriedImageBounds.count));
  const images: FoundImage[] = [];
  let left: number = carriedImageBounds.bytes;
  for (const part of original.attached) {
    const contentId = contentIdOf(part.entity.header);
    if (contentId === null || !wanted.delete(contentId) || part.size > left) continue;
    const content = contentOf(original, part);
    const mimeType = rasterTypeOf(content);
    if (mimeType === undefined || content.length > left) continue;
    left -= content.length;
    images.push({ contentId, mimeType, content });
  }
  return images;
}
