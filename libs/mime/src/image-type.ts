export type RasterType = 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';

/** A frame holds the pictures of its mail as text, so that they are few and their sum is small. */
export const carriedImageBounds = { count: 50, bytes: 8 * 1024 * 1024 } as const;

const starts = (bytes: Buffer, sign: string, at = 0): boolean =>
  bytes.toString('latin1', at, at + sign.length) === sign;

/** The type of a picture by its first bytes, because its header may say anything; undefined where it is no picture of dots. */
export function rasterTypeOf(bytes: Buffer): RasterType | undefined {
  if (starts(bytes, '\x89PNG\r\n\x1a\n')) return 'image/png';
  if (starts(bytes, '\xff\xd8\xff')) return 'image/jpeg';
  if (starts(bytes, 'GIF87a') || starts(bytes, 'GIF89a')) return 'image/gif';
  if (starts(bytes, 'RIFF') && starts(bytes, 'WEBP', 8)) return 'image/webp';
  return undefined;
}
