import { bounds } from '@postroom/contract/bounds';
import type { FieldFamily } from './field-family.ts';
import type { Condition, FilterContext } from './tree.ts';

const DAY_MS = 86_400_000;
const DATE = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?)?$/;

/** From the first moment up to, and without, the last; null is open. */
interface Span {
  from: Date | null;
  until: Date | null;
}

/** Every operator is a span of time, so a query is a range on the index and a match is two comparisons. */
export const dateField: FieldFamily = {
  faultIn: (value, operator) => {
    if (operator === 'in_last_days') return faultInDays(value);
    return readMoment(value) ? undefined : 'must be an ISO 8601 date or date-time';
  },
  toQuery: (condition, context) => {
    const { from, until } = spanOf(condition, context);
    return { date: { ...(from && { $gte: from }), ...(until && { $lt: until }) } };
  },
};

function spanOf({ type, value }: Condition, { now }: FilterContext): Span {
  if (type === 'in_last_days') return { from: new Date(now.getTime() - Number(value) * DAY_MS), until: null };
  const moment = readMoment(value);
  if (!moment) throw new Error('a date that was never checked');
  if (type === 'before') return { from: null, until: moment.start };
  if (type === 'after') return { from: moment.end, until: null };
  return { from: moment.dayStart, until: new Date(moment.dayStart.getTime() + DAY_MS) };
}

/** A date is the whole day in UTC, a date-time is one millisecond: "after" begins where it ends. */
function readMoment(value: string): { start: Date; end: Date; dayStart: Date } | undefined {
  const [, day, time, , , zone] = DATE.exec(value) ?? [];
  if (!day || !isRealDay(day)) return undefined;
  const start = new Date(time && !zone ? `${value}Z` : value);
  if (Number.isNaN(start.getTime())) return undefined;
  const dayStart = new Date(Math.floor(start.getTime() / DAY_MS) * DAY_MS);
  return { start, end: new Date(start.getTime() + (time ? 1 : DAY_MS)), dayStart };
}

// The engine would read the 30th of February as a day in March.
function isRealDay(day: string): boolean {
  const read = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(day);
}

function faultInDays(value: string): string | undefined {
  const { min, max } = bounds.filterDays;
  const days = /^\d{1,4}$/.test(value) ? Number(value) : 0;
  return days >= min && days <= max ? undefined : `must be a whole number from ${min} to ${max}`;
}
