import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

interface PageBounds {
  usual: number;
  most: number;
}

/** The number of items. A number that is too large is clamped; unreadable text means the default. Both are valid. */
export function limitOf({ usual, most }: PageBounds) {
  return z
    .string()
    .optional()
    .transform((text) => readLimit(text, { usual, most }))
    .meta({
      type: 'integer',
      description: `1 to ${most}. ${usual} where absent or not to be read so; more than ${most} is read as ${most}.`,
    });
}

export const limit = limitOf(bounds.page);

export function readLimit(text: string | undefined, { usual, most }: PageBounds = bounds.page): number {
  if (text === undefined || !/^\d+$/.test(text)) return usual;
  return Math.min(Number(text), most) || usual;
}

export const cursor = z
  .string()
  .optional()
  .meta({ minLength: 1, pattern: '^[A-Za-z0-9_-]+$', description: 'The `nextCursor` of the page before; opaque.' });
