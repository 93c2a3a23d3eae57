import { useMemo } from 'react';
import type { LimitsAnswer } from '@postroom/app/answers';
import { capitalized } from '../parts/capitalized.ts';
import { DataTable, type Column } from '../parts/data-table.tsx';
import { Section } from '../parts/page.tsx';
import { Moment } from '../time/moment.tsx';
import { Plot } from './plot.tsx';
import { cumulated, seriesOf, sumOf } from './series.ts';
import classes from './usage.module.css';

interface Props {
  limits: LimitsAnswer;
  days: readonly string[];
  byKey: Parameters<typeof seriesOf>[1];
}

type Window = LimitsAnswer['month'] & { name: string };

const COLUMNS: readonly Column<Window>[] = [
  { name: 'Window', cell: ({ name }) => name },
  { name: 'Used', cell: ({ used }) => used.toLocaleString('en'), isAtEnd: true },
  { name: 'Limit', cell: ({ limit }) => limit.toLocaleString('en'), isAtEnd: true },
  { name: 'Left', cell: ({ used, limit }) => Math.max(limit - used, 0).toLocaleString('en'), isAtEnd: true },
  { name: 'Resets', isTight: true, cell: ({ resetsAt }) => <Moment at={resetsAt} none="–" /> },
];

/** The allowance of the plan's minute and month, and how it goes down. */
export function Burn({ limits, days, byKey }: Props) {
  const { month, minute, plan } = limits;
  const series = useMemo(() => {
    const values = cumulated(sumOf(seriesOf(days, byKey), days.length));
    return [{ name: 'Calls so far', values, total: values.at(-1) ?? 0 }];
  }, [days, byKey]);
  const windows: Window[] = [
    { ...month, name: 'This month' },
    { ...minute, name: 'This minute' },
  ];
  const percent = Math.min(100, Math.round((month.used / Math.max(month.limit, 1)) * 100));
  return (
    <Section title="Quota" intro={`Plan ${capitalized(plan)}: ${percent}% of the month is used.`}>
      <div className={classes.pair}>
        <Plot label="Calls of the shown days, added up; the table has the quota" days={days} series={series} />
        <div>
          <progress className={classes.quota} aria-label="Used of the month" max={100} value={percent} />
          <DataTable label="Quota" columns={COLUMNS} items={windows} keyOf={({ name }) => name} />
        </div>
      </div>
    </Section>
  );
}
