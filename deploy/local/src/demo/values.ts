import type { Random } from './random.ts';

const ITEMS = 'oak dining table,ash bookshelf,walnut desk,pine bench,birch bedside table,cherry sideboard,beech stool';
const CITIES = 'Bristol,Leeds,Hamburg,Lyon,Malmö,Porto,Edinburgh,Utrecht,Cardiff,Galway';
const DAYS = 'Monday,Tuesday,Wednesday,Thursday,Friday';
const COLOURS = 'natural oil,white wash,dark wax,clear lacquer,smoked finish';
const FIRST_NAMES = 'Alice,Ben,Chloe,Daniel,Erin,Farid,Grace,Jürgen,Isla,Käthe,Liam,Nadia,Oscar,Zoë';
const LAST_NAMES = 'Abbott,Carter,Doyle,Ellis,Fraser,Groß,Hughes,Patel,Quinn,Reeves,Shaw,Muñoz';

/** The values of the gaps. All emails of one conversation have the same ones. */
export function drawValues(random: Random, date: Date): Record<string, string> {
  const pick = (list: string) => random.pick(list.split(','));
  const customer = `${pick(FIRST_NAMES)} ${pick(LAST_NAMES)}`;
  return {
    customer: `${customer} <customer${random.between(1, 4_000)}@mailbox.example>`,
    item: pick(ITEMS),
    city: pick(CITIES),
    day: pick(DAYS),
    colour: pick(COLOURS),
    order: `HP-${random.between(10_000, 99_999)}`,
    invoice: `${date.getUTCFullYear()}-${random.between(1_000, 9_999)}`,
    amount: (random.between(1_800, 240_000) / 100).toLocaleString('en-GB', { minimumFractionDigits: 2 }),
    count: String(random.between(2, 48)),
    percent: String(random.between(5, 40)),
    hour: String(random.between(8, 17)),
    width: String(random.between(40, 240)),
    month: date.toLocaleString('en-GB', { month: 'long', timeZone: 'UTC' }),
    code: String(random.between(100_000, 999_999)),
    tracking: `BC${random.between(100_000_000, 999_999_999)}`,
  };
}

/** Replaces {name} in a text by its value. */
export function fill(template: string, values: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}
