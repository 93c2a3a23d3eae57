import type { ServiceName } from '@postroom/local/services';
import type { ServiceProcess } from '../../support/service-process.ts';
import { chartMemory } from './chart-memory.ts';

/** The largest of the rest, when the slowest tenth is left out. */
export function slowestTenth(millis: readonly number[]): number {
  const sorted = millis.toSorted((a, b) => a - b);
  return sorted[Math.ceil(sorted.length * 0.9) - 1] ?? 0;
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

interface Peak {
  bytes: number;
  during: string;
}

export interface Scales {
  /** Records the current memory of each service as its quiet size. */
  setQuiet(): Promise<void>;
  /** Measures the memory of all services. A service that does not answer is skipped. */
  weigh(during: string): Promise<void>;
  /** The largest memory of each service since the last call. */
  latest(): string;
  /** Services that took more than so many times their quiet size, or more than the chart gives them. */
  tooHeavy(times: number): string[];
  /** All of them, for people to read. */
  lines(): string[];
}

const MEBIBYTE = 1_048_576;
/** Half of the smallest container: a process that has done little yet is smaller, and grows to this by any work. */
const QUIET_FLOOR = 192 * MEBIBYTE;
const inMebibytes = (bytes: number) => `${Math.round(bytes / MEBIBYTE)} MiB`;

export function openScales(processes: ReadonlyMap<ServiceName, ServiceProcess>): Scales {
  const quiet = new Map<ServiceName, number>();
  const peaks = new Map<ServiceName, Peak>();
  const latest = new Map<ServiceName, number>();
  const each = (work: (name: ServiceName, bytes: number) => void) =>
    Promise.all(
      [...processes].map(async ([name, process]) => {
        const bytes = await residentBytes(process);
        if (bytes) work(name, bytes);
      }),
    );
  const lineOf = (name: ServiceName) => {
    const { bytes = 0, during = 'nothing' } = peaks.get(name) ?? {};
    return `${name}: ${inMebibytes(quiet.get(name) ?? 0)} when quiet, ${inMebibytes(bytes)} at most, during ${during}`;
  };
  return {
    setQuiet: async () => void (await each((name, bytes) => quiet.set(name, bytes))),
    weigh: async (during) =>
      void (await each((name, bytes) => {
        latest.set(name, Math.max(bytes, latest.get(name) ?? 0));
        if (bytes > (peaks.get(name)?.bytes ?? 0)) peaks.set(name, { bytes, during });
      })),
    latest: () => {
      const line = [...latest].map(([name, bytes]) => `${name} ${inMebibytes(bytes)}`).join(', ');
      latest.clear();
      return line;
    },
    tooHeavy: (times) =>
      [...peaks]
        .filter(
          ([name, { bytes }]) =>
            bytes > times * Math.max(quiet.get(name) ?? 0, QUIET_FLOOR) || bytes > chartMemory(name).bytes,
        )
        .map(([name]) => lineOf(name)),
    lines: () => [...peaks.keys()].map(lineOf),
  };
}

async function residentBytes({ page }: ServiceProcess): Promise<number | undefined> {
  const metrics = await page('/metrics').catch(() => undefined);
  return Number(/^process_resident_memory_bytes\S* (\S+)/m.exec(metrics?.text ?? '')?.[1]) || undefined;
}
