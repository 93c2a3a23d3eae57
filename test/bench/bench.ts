import type { BenchConfig } from './config.ts';

export interface Bench {
  name: string;
  title: string;
  /** Whether its targets were met; undefined where an engine that it needs is not there. */
  run(config: BenchConfig, print: (line: string) => void): Promise<boolean | undefined>;
}
