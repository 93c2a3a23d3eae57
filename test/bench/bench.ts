import type { BenchConfig } from './config.ts';
import type { Lacks } from './lacks.ts';

export interface Bench {
  name: string;
  title: string;
  lacks?: Lacks;
  /** Whether its targets were met. */
  run(config: BenchConfig, print: (line: string) => void): Promise<boolean>;
}
