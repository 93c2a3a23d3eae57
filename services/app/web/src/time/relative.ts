const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];
const format = new Intl.RelativeTimeFormat('en', { numeric: 'always', style: 'narrow' });
const NOW_SECONDS = 45;

/** The distance of a moment in its largest whole unit: `5m ago`, `in 2d`. */
export function relativeTime(at: Date, now: Date): string {
  const seconds = (at.getTime() - now.getTime()) / 1_000;
  if (Math.abs(seconds) < NOW_SECONDS) return seconds > 0 ? 'in a moment' : 'just now';
  for (const [unit, length] of UNITS) {
    const count = Math.trunc(seconds / length);
    if (count !== 0) return format.format(count, unit);
  }
  return format.format(Math.sign(seconds), 'minute');
}

/** The exact moment, for the pointer: `2026-11-23 14:05:09 UTC`. */
export function utcTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}

/** The last moment of a day that was picked in a date field. */
export const endOfDay = (day: string): string => `${day}T23:59:59.999Z`;

/** A day in UTC as date fields and addresses write it. */
export const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

export function daysBefore(at: Date, days: number): Date {
  return new Date(at.getTime() - days * 86_400_000);
}
