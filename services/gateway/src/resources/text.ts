import { z } from 'zod';

interface Bounds {
  min: number;
  max: number;
  /** Spaces at both ends do not count and are not kept. */
  trim?: boolean;
}

/** Text between bounds that are counted in code points, the way a person counts; zod would count UTF-16 units. */
export function text({ min, max, trim = false }: Bounds): z.ZodType<string, string> {
  const base = trim ? z.string().trim() : z.string();
  return base
    .superRefine((value, context) => {
      const fault = faultOf(value, min, max);
      if (fault) context.addIssue({ code: 'custom', message: fault });
    })
    .meta({ minLength: min, maxLength: max });
}

function faultOf(value: string, min: number, max: number): string | undefined {
  if (value.includes('\0')) return 'must not hold a NUL character';
  if (/\p{Surrogate}/u.test(value)) return 'must be valid Unicode';
  const length = codePoints(value);
  if (length < min) return `must have at least ${min} ${min === 1 ? 'character' : 'characters'}`;
  if (length > max) return `must have at most ${max} characters`;
  return undefined;
}

export function codePoints(value: string): number {
  let length = 0;
  for (const _ of value) length++;
  return length;
}

/** An id as callers send it: opaque, so its form is no fault of theirs, but nothing in it may break anything. */
export const opaqueId = text({ min: 1, max: 200 });
