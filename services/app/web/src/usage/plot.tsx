import { useEffect, useRef } from 'react';
import { useColorScheme } from '@mantine/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Series } from './series.ts';
import classes from './usage.module.css';

const HEIGHT = 200;
/** Told apart by eyes that see few colours, too; the table has the names. */
const LINE_COLORS = {
  light: ['#3f51c9', '#b4530a', '#1a7349', '#a0327e', '#5c5e68'],
  dark: ['#a9b4ff', '#f0a65e', '#7fd6a6', '#f08fd0', '#a2a5b1'],
} as const;

interface Props {
  label: string;
  days: readonly string[];
  series: readonly Series[];
}

/** A drawing alone: the table beside it says the same to everybody. */
export function Plot({ label, days, series }: Props) {
  const holder = useRef<HTMLDivElement>(null);
  const scheme = useColorScheme();
  useEffect(() => {
    const element = holder.current;
    if (!element) return undefined;
    const plot = new uPlot(optionsOf(series, scheme, element.clientWidth), dataOf(days, series), element);
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT }));
    observer.observe(element);
    return () => {
      observer.disconnect();
      plot.destroy();
    };
  }, [days, series, scheme]);
  return <div ref={holder} role="img" aria-label={label} className={classes.plot} />;
}

function dataOf(days: readonly string[], series: readonly Series[]): uPlot.AlignedData {
  const times = days.map((day) => Date.parse(`${day}T00:00:00Z`) / 1_000);
  return [times, ...series.map(({ values }) => values)];
}

function optionsOf(series: readonly Series[], scheme: 'light' | 'dark', width: number): uPlot.Options {
  const colors = LINE_COLORS[scheme];
  const line = scheme === 'light' ? '#e4e4e8' : '#282a32';
  const text = scheme === 'light' ? '#5c5e68' : '#a2a5b1';
  const axis = { stroke: text, grid: { stroke: line, width: 1 }, ticks: { show: false }, font: '12px system-ui' };
  return {
    width,
    height: HEIGHT,
    legend: { show: false },
    cursor: { y: false, points: { size: 6 } },
    tzDate: (seconds) => uPlot.tzDate(new Date(seconds * 1_000), 'UTC'),
    scales: { y: { range: (_plot, _min, max) => [0, max > 0 ? max * 1.05 : 1] } },
    axes: [
      { ...axis, grid: { show: false }, size: 28, values: (_plot, splits) => splits.map(shortDay), space: 70 },
      { ...axis, size: 58, values: (_plot, splits) => splits.map(shortNumber) },
    ],
    series: [
      {},
      ...series.map(({ name }, index) => ({
        label: name,
        stroke: colors[index % colors.length],
        width: 1.75,
        points: { show: series[index]?.values.length === 1 },
      })),
    ],
  };
}

const shortDay = (seconds: number) =>
  new Date(seconds * 1_000).toLocaleDateString('en', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const shortNumber = (value: number) => value.toLocaleString('en', { notation: 'compact', maximumSignificantDigits: 3 });
