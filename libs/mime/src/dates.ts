const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
/** Minutes east of Greenwich. Other names say nothing reliable and read as UTC, as RFC 5322 asks. */
const ZONES: Readonly<Record<string, number>> = {
  EST: -300,
  EDT: -240,
  CST: -360,
  CDT: -300,
  MST: -420,
  MDT: -360,
  PST: -480,
  PDT: -420,
  BST: 60,
  CET: 60,
  CEST: 120,
  MSK: 180,
  JST: 540,
};

const TIME = String.raw`(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,]\d+)?)?`;
const ZONE = String.raw`(?:\s*([+-]\s?\d{1,2}:?\d{2}|[a-z]{1,5})\b)?`;
const USUAL = new RegExp(
  String.raw`^(?:[a-z]{2,9}\.?,?\s*)?(\d{1,2})[\s-]+([a-z]{3})[a-z]*\.?,?[\s-]+(\d{2,4})\s+${TIME}${ZONE}`,
  'i',
);
const ASCTIME = new RegExp(String.raw`^[a-z]{3,9},?\s+([a-z]{3})[a-z]*\s+(\d{1,2}),?\s+${TIME}${ZONE}\s+(\d{4})`, 'i');
const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?\s?(Z|[+-]\d{2}:?\d{2})?)?$/;

interface Moment {
  year: string;
  month: string;
  day: string;
  time: readonly (string | undefined)[];
  zone: string | undefined;
}

/** Reads a Date header as mail really writes it. Null where it says no day of this calendar. */
export function parseDate(field: string | undefined): Date | null {
  if (!field || field.length > 500) return null;
  const text = field
    .replace(/\([^()]*\)/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const usual = USUAL.exec(text);
  if (usual) {
    const [, day = '', month = '', year = '', hour, minute, second, zone] = usual;
    return toDate({ year, month, day, time: [hour, minute, second], zone });
  }
  const old = ASCTIME.exec(text);
  if (old) {
    const [, month = '', day = '', hour, minute, second, zone, year = ''] = old;
    return toDate({ year, month, day, time: [hour, minute, second], zone });
  }
  return ISO.test(text) ? sane(new Date(text)) : null;
}

function toDate({ year, month, day, time, zone }: Moment): Date | null {
  const monthIndex = MONTHS.indexOf(month.toLowerCase());
  const [hour, minute, second] = time.map((part) => Number(part ?? 0)) as [number, number, number];
  if (monthIndex < 0 || hour > 23 || minute > 59 || second > 60) return null;
  const days = new Date(Date.UTC(fullYear(year), monthIndex + 1, 0)).getUTCDate();
  if (Number(day) < 1 || Number(day) > days) return null;
  const utc = Date.UTC(fullYear(year), monthIndex, Number(day), hour, minute, Math.min(second, 59));
  return sane(new Date(utc - offsetOf(zone) * 60_000));
}

/** RFC 5322 §4.3: two digits below 50 are of this century, three digits count from 1900. */
function fullYear(digits: string): number {
  const year = Number(digits);
  if (digits.length >= 4) return year;
  if (digits.length === 2 && year < 50) return 2000 + year;
  return 1900 + year;
}

function offsetOf(zone = ''): number {
  const numeric = /^([+-])\s?(\d{1,2}):?(\d{2})$/.exec(zone);
  if (!numeric) return ZONES[zone.toUpperCase()] ?? 0;
  const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
  return numeric[1] === '-' ? -minutes : minutes;
}

/** A date of a stranger where mail can have it and every reader of an ISO date understands it: there was none before 1970. */
export function sane(date: Date): Date | null {
  const year = date.getUTCFullYear();
  return Number.isNaN(year) || year < 1970 || year > 9999 ? null : date;
}
