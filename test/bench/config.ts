export interface BenchConfig {
  rounds: number;
  /** Emails in the data benches, smallest first. */
  sizes: number[];
  mongodbUri: string | undefined;
  redisUrl: string | undefined;
}

export function readBenchConfig(env: NodeJS.ProcessEnv, rounds: number, sizes: number[]): BenchConfig {
  const wrong = [rounds, ...sizes].some((value) => !Number.isInteger(value) || value < 1);
  if (wrong) throw new Error('--rounds takes a whole number, --sizes whole numbers with commas between, such as 10000,100000');
  return { rounds, sizes: [...sizes].sort((a, b) => a - b), mongodbUri: env.MONGODB_URI || undefined, redisUrl: env.REDIS_URL || undefined };
}
