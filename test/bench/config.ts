import type { Effort } from './compare.ts';

export interface BenchConfig {
  effort: Effort;
  /** Emails in the data benches, smallest first. */
  sizes: number[];
  /** Duration of the load in the memory benches. */
  minutes: number;
  mongodbUri: string | undefined;
  redisUrl: string | undefined;
  kafkaBrokers: string[] | undefined;
  /** A mail server to read from, and the command that controls it. */
  imapAddress: string | undefined;
  mailControl: string | undefined;
}

interface Asked {
  runs: number;
  sizes: number[];
  minutes: number;
}

/** Shows that a bench works, and measures nothing that means anything. */
export const SHORT: Pick<BenchConfig, 'effort' | 'sizes' | 'minutes'> = {
  effort: { runs: 1, share: 0.02 },
  sizes: [200, 400],
  minutes: 0.05,
};

export function readBenchConfig(env: NodeJS.ProcessEnv, { runs, sizes, minutes }: Asked): BenchConfig {
  const wrong = [runs, minutes, ...sizes].some((value) => !Number.isInteger(value) || value < 1);
  if (wrong)
    throw new Error(
      '--runs and --minutes take a whole number, --sizes whole numbers with commas between, such as 10000,100000',
    );
  return {
    effort: { runs, share: 1 },
    minutes,
    sizes: [...sizes].sort((a, b) => a - b),
    mongodbUri: env.MONGODB_URI || undefined,
    redisUrl: env.REDIS_URL || undefined,
    kafkaBrokers: env.KAFKA_BROKERS?.split(',').filter(Boolean),
    imapAddress: env.IMAP_ADDR || undefined,
    mailControl: env.MAIL_CONTROL || undefined,
  };
}
