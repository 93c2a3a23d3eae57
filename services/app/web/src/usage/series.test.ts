import { expect, it } from '@jest/globals';
import { cumulated, daysBetween, forPlot, seriesOf, sumOf } from './series.ts';

const days = ['2026-02-27', '2026-02-28', '2026-03-01'];

it('names every day, across the end of a month', () => {
  expect(daysBetween('2026-02-27', '2026-03-01')).toEqual(days);
  expect(daysBetween('2026-02-27', '2026-02-27')).toEqual(['2026-02-27']);
  expect(daysBetween('2026-02-27', '2026-02-26')).toEqual([]);
});

it('adds points of one day and name, with zeros between, the largest first', () => {
  const series = seriesOf(days, [
    { day: '2026-02-27', name: 'a', value: 1 },
    { day: '2026-03-01', name: 'b', value: 4 },
    { day: '2026-02-27', name: 'a', value: 2 },
    { day: '2025-01-01', name: 'a', value: 99 },
  ]);
  expect(series).toEqual([
    { name: 'b', values: [0, 0, 4], total: 4 },
    { name: 'a', values: [3, 0, 0], total: 3 },
  ]);
  expect(sumOf(series, 3)).toEqual([3, 0, 4]);
});

it('draws five lines at most, and loses nothing of the others', () => {
  const series = Array.from({ length: 8 }, (_, at) => ({ name: `s${at}`, values: [at, 1], total: at + 1 }));
  const drawn = forPlot(series);
  expect(drawn.map(({ name }) => name)).toEqual(['s0', 's1', 's2', 's3', '4 others']);
  expect(drawn.at(-1)?.values).toEqual([4 + 5 + 6 + 7, 4]);
  expect(forPlot(series.slice(0, 5))).toHaveLength(5);
});

it('cumulates', () => expect(cumulated([1, 0, 4])).toEqual([1, 1, 5]));
