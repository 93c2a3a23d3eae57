import { useMemo } from 'react';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { EmptyState } from '../parts/empty-state.tsx';
import { Section } from '../parts/page.tsx';
import { Plot } from './plot.tsx';
import { forPlot, seriesOf, type Series } from './series.ts';
import classes from './usage.module.css';

interface Props {
  title: string;
  intro?: string;
  /** The kind of a series: the head of the table's first column. */
  what: string;
  unit: string;
  days: readonly string[];
  points: Parameters<typeof seriesOf>[1];
  format?(value: number): string;
}

const plain = (value: number) => value.toLocaleString('en', { maximumFractionDigits: value < 10 ? 1 : 0 });

/** The same numbers twice: as lines over the days, and as a table. */
export function PlotAndTable({ title, intro, what, unit, days, points, format = plain }: Props) {
  const all = useMemo(() => seriesOf(days, points), [days, points]);
  const drawn = useMemo(() => forPlot(all), [all]);
  const total = all.reduce((sum, one) => sum + one.total, 0);
  const columns: Column<Series>[] = [
    {
      name: what,
      cell: ({ name }) => (
        <span className={classes.name}>
          <span className={classes.key} data-line={lineOf(drawn, name)} aria-hidden />
          {name}
        </span>
      ),
    },
    { name: 'Per day', cell: (series) => format(series.total / Math.max(days.length, 1)), isAtEnd: true },
    { name: unit, cell: (series) => format(series.total), isAtEnd: true },
    { name: 'Share', cell: (series) => `${Math.round((series.total / Math.max(total, 1e-9)) * 100)}%`, isAtEnd: true },
  ];
  return (
    <Section title={title} intro={intro}>
      {all.length === 0 ? (
        <EmptyState title="Nothing in these days" text="Choose another period, or come back after the first calls." />
      ) : (
        <div className={classes.pair}>
          <Plot
            label={`${title}: ${unit.toLowerCase()} by day; the table has the numbers`}
            days={days}
            series={drawn}
          />
          <DataTable label={title} columns={columns} items={all} keyOf={({ name }) => name} />
        </div>
      )}
    </Section>
  );
}

/** A series without a line of its own has the line of the others. */
function lineOf(drawn: readonly Series[], name: string): number {
  const at = drawn.findIndex((series) => series.name === name);
  return at === -1 ? drawn.length - 1 : at;
}
