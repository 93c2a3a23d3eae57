import type { BenchDatabase } from './bench-database.ts';
import type { Contender } from './compare.ts';

/** Service and database together; with a database that is not ours, elapsed time is all there is to see. */
export function databaseContender(name: string, database: BenchDatabase, once: () => Promise<unknown>): Contender {
  return {
    name,
    run: async (count) => {
      const before = await spent(database);
      for (let done = 0; done < count; done++) await once();
      return (await spent(database)) - before;
    },
  };
}

async function spent(database: BenchDatabase): Promise<number> {
  const theirs = await database.micros();
  if (theirs === 0) return performance.now() * 1_000;
  const { user, system } = process.cpuUsage();
  return theirs + user + system;
}
