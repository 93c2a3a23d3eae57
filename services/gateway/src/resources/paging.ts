import { bounds } from '@postroom/contract/bounds';
import { z } from 'zod';

const { usual, most } = bounds.page;

/** The number of items. A number that is too large is clamped; unreadable text means the default. Both are valid. */
export const limit = z
  .string()
  .optional()
  .transform(readLimit)
  .meta({
    type: 'integer',
    description: `1 to ${most}. ${usual} where absent or not to be read so; more than ${most} is read as ${most}.`,
  });

export function readLimit(text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text)) return usual;
  return Math.min(Number(text), most) || usual;
}

export const cursor = z
  .string()
  .optional()
  .meta({ minLength: 1, pattern: '^[A-Za-z0-9_-]+$', description: 'The `nextCursor` of the page before; opaque.' });
