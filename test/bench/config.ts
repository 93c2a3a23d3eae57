export interface BenchConfig {
  rounds: number;
  /** Emails in the data benches, smallest first. */
  sizes: number[];
  /** How long the benches of memory work. */
  minutes: number;
  mongodbUri: string | undefined;
  redisUrl: string | undefined;
  kafkaBrokers: string[] | undefined;
  /** A mail server to read from, and the command that controls it. */
  imapAddress: string | undefined;
  mailControl: string | undefined;
}

export function readBenchConfig(env: NodeJS.ProcessEnv, rounds: number, sizes: number[], minutes: number): BenchConfig {
  const wrong = [rounds, minutes, ...sizes].some((value) => !Number.isInteger(value) || value < 1);
  if (wrong)
    throw new Error(
      '--rounds and --minutes take a whole number, --sizes whole numbers with commas between, such as 10000,100000',
    );
  return {
    rounds,
    minutes,
    sizes: [...sizes].sort((a, b) => a - b),
    mongodbUri: env.MONGODB_URI || undefined,
    redisUrl: env.REDIS_URL || undefined,
    kafkaBrokers: env.KAFKA_BROKERS?.split(',').filter(Boolean),
    imapAddress: env.IMAP_ADDR || undefined,
    mailControl: env.MAIL_CONTROL || undefined,
  };
}
