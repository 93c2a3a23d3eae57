import { Presets, SingleBar } from 'cli-progress';
import type { Clock } from '@postroom/runtime/clock';
import type { Tally } from './tally.ts';

interface ImportProgress {
  update(tally: Tally): void;
  stop(): void;
}

interface ProgressOptions {
  out: NodeJS.WriteStream;
  clock: Clock;
  /** Absent for standard input, whose size is unknown. */
  totalBytes: number | undefined;
  json: boolean;
}

const LINE_EVERY_MS = 5_000;
const number = new Intl.NumberFormat('en-GB');

/** Shows a bar in a terminal, a line at intervals elsewhere, and nothing with --json. */
export function createProgress(options: ProgressOptions): ImportProgress {
  if (options.json) return { update: () => undefined, stop: () => undefined };
  return options.out.isTTY && options.totalBytes ? bar(options, options.totalBytes) : lines(options);
}

function bar({ out, clock }: ProgressOptions, totalBytes: number): ImportProgress {
  const started = clock.now();
  const single = new SingleBar(
    { stream: out, format: '{bar} {percentage}% | {count} messages | {rate}/s | {left}', hideCursor: true, fps: 5 },
    Presets.shades_classic,
  );
  single.start(totalBytes, 0, { count: '0', rate: '-', left: '' });
  return {
    update: (tally) => {
      const seconds = (clock.now() - started) / 1_000;
      const { count, rate, left } = describe(tally, seconds, totalBytes);
      single.update(Math.min(tally.bytes, totalBytes), { count, rate, left });
    },
    stop: () => single.stop(),
  };
}

function lines({ out, clock, totalBytes }: ProgressOptions): ImportProgress {
  const started = clock.now();
  let said = started;
  return {
    update: (tally) => {
      if (clock.now() - said < LINE_EVERY_MS) return;
      said = clock.now();
      const { count, rate, left } = describe(tally, (said - started) / 1_000, totalBytes);
      out.write(`${[`${count} messages`, `${rate}/s`, left].filter((part) => part !== '').join(', ')}\n`);
    },
    stop: () => undefined,
  };
}

function describe(tally: Tally, seconds: number, totalBytes: number | undefined) {
  const done = tally.new + tally.known + tally.quarantined;
  const rate = seconds > 0 ? number.format(Math.round(done / seconds)) : '-';
  const isKnown = totalBytes !== undefined && tally.bytes > 0;
  const left = isKnown ? `${durationText((seconds * Math.max(0, totalBytes - tally.bytes)) / tally.bytes)} left` : '';
  return { count: number.format(done), rate, left };
}

export function durationText(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
