import { z } from 'zod';

/** Both are included. */
export interface Days {
  from: Date;
  to: Date;
}

const DAY_MS = 86_400_000;
/** So that one answer stays small: a longer time is asked for in parts. */
const MOST_DAYS = 92;

const day = z.iso.date('must be a day such as 2027-01-31');
const daysBetween = ({ from, to }: { from: string; to: string }) => (Date.parse(to) - Date.parse(from)) / DAY_MS;

export const daysRules = z
  .object({ from: day, to: day })
  .refine((days) => !(daysBetween(days) < 0), { path: ['to'], error: 'must not be before from' })
  .refine((days) => !(daysBetween(days) >= MOST_DAYS), {
    path: ['to'],
    error: `must be within ${MOST_DAYS} days, from and to included`,
  })
  .transform(({ from, to }): Days => ({ from: new Date(from), to: new Date(to) }));

export const nameOfDay = (date: Date): string => date.toISOString().slice(0, 10);
