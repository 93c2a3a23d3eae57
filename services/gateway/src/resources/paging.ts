import { z } from 'zod';

const DEFAULT = 50;
const MOST = 200;

/** How many items: what is too large is clamped, what cannot be read falls back; neither is a fault. */
export const limit = z
  .string()
  .optional()
  .transform(readLimit)
  .meta({ type: 'integer', minimum: 1, maximum: MOST, description: '50 where absent; more than 200 is read as 200.' });

export function readLimit(text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text)) return DEFAULT;
  return Math.min(Number(text), MOST) || DEFAULT;
}

export const cursor = z.string().optional().meta({ description: 'The `nextCursor` of the page before; opaque.' });
