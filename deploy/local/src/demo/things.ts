import type { Random } from './random.ts';

const ITEMS = [
  'oak dining table',
  'ash bookshelf',
  'walnut desk',
  'pine bench',
  'birch bedside table',
  'cherry sideboard',
  'larch garden bench',
  'beech stool',
  'elm coffee table',
  'maple cutting board',
];
const PLACES = ['Bristol', 'Leeds', 'Hamburg', 'Lyon', 'Malmö', 'Porto', 'Edinburgh', 'Utrecht', 'Cardiff', 'Galway'];
const DAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday'];
const COLOURS = ['natural oil', 'white wash', 'dark wax', 'clear lacquer', 'smoked finish'];
const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
];

/** Values for the texts. The subject and the text of a letter have the same order number. */
export function drawThings(random: Random, date: Date): Record<string, string> {
  const euros = random.between(18, 2_400);
  return {
    item: random.pick(ITEMS),
    item2: random.pick(ITEMS),
    place: random.pick(PLACES),
    day: random.pick(DAYS),
    colour: random.pick(COLOURS),
    order: `HP-${random.between(10_000, 99_999)}`,
    invoice: `${date.getUTCFullYear()}-${String(random.between(1, 9_999)).padStart(4, '0')}`,
    amount: `${euros.toLocaleString('en-GB')}.${String(random.between(0, 99)).padStart(2, '0')}`,
    count: String(random.between(2, 48)),
    percent: String(random.between(5, 40)),
    hour: String(random.between(8, 17)),
    width: String(random.between(40, 240)),
    month: MONTHS[date.getUTCMonth()] ?? 'May',
    year: String(date.getUTCFullYear()),
    issue: String(random.between(12, 340)),
    code: String(random.between(100_000, 999_999)),
    tracking: `BC${random.between(100_000_000, 999_999_999)}`,
  };
}
