/** One line of a plot: a number for each day. */
export interface Series {
  name: string;
  values: number[];
  total: number;
}

interface Point {
  day: string;
  name: string;
  value: number;
}

const DAY_MS = 86_400_000;

/** Every day from the first to the last, both included. */
export function daysBetween(from: string, to: string): string[] {
  const first = Date.parse(`${from}T00:00:00Z`);
  const count = Math.round((Date.parse(`${to}T00:00:00Z`) - first) / DAY_MS) + 1;
  return Array.from({ length: Math.max(count, 0) }, (_, index) =>
    new Date(first + index * DAY_MS).toISOString().slice(0, 10),
  );
}

/** The points by name, the largest total first; a day without a point is a zero. */
export function seriesOf(days: readonly string[], points: readonly Point[]): Series[] {
  const indexes = new Map(days.map((day, index) => [day, index]));
  const all = new Map<string, Series>();
  for (const { day, name, value } of points) {
    const index = indexes.get(day);
    if (index === undefined) continue;
    const series = all.get(name) ?? { name, values: days.map(() => 0), total: 0 };
    all.set(name, series);
    series.values[index] = (series.values[index] ?? 0) + value;
    series.total += value;
  }
  return [...all.values()].sort((one, other) => other.total - one.total || one.name.localeCompare(other.name));
}

const MOST_LINES = 5;

/** A plot has few lines that can be told apart; the table beside it has them all. */
export function forPlot(series: readonly Series[]): Series[] {
  if (series.length <= MOST_LINES) return [...series];
  const rest = series.slice(MOST_LINES - 1);
  const values = rest.reduce<number[]>((sums, one) => one.values.map((value, at) => value + (sums[at] ?? 0)), []);
  const total = rest.reduce((sum, one) => sum + one.total, 0);
  return [...series.slice(0, MOST_LINES - 1), { name: `${rest.length} others`, values, total }];
}

/** Numbers of which each includes those before it. */
export function cumulated(values: readonly number[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value));
}

export function sumOf(series: readonly Series[], length: number): number[] {
  return Array.from({ length }, (_, at) => series.reduce((sum, { values }) => sum + (values[at] ?? 0), 0));
}
