import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { compare } from '../compare.ts';
import { databaseContender } from '../database-contender.ts';
import { examined } from '../examined.ts';
import { openReader } from '../reader.ts';

const DEEP = 2_000;
const COUNT = 60;

/** A deep page must cost what the first one costs, and a large mailbox what a small one does. */
export const page: Bench = {
  name: 'page',
  title: 'GET /emails: the first page against a deep one, a small mailbox against a large one',
  run: async (config, print) => {
    const { effort, sizes } = config;
    const small = await openBenchDatabase(config, sizes[0] ?? 10_000, print);
    const large = await openBenchDatabase(config, sizes.at(-1) ?? 100_000, print);
    const [smallReader, largeReader] = [await openReader(small), await openReader(large)];
    try {
      const { cursor, pageNumber } = await largeReader.cursorOf(DEEP);
      print(`  a page: ${await examined(large, {})}; INBOX: ${await examined(large, { folderType: 'INBOX' })}`);
      const deepName = `page ${pageNumber} of ${sizes.at(-1)} emails`;
      const first = () => largeReader.list({});
      const deepMet = await compare(
        'page, deep',
        {
          ours: databaseContender(deepName, large, () => largeReader.list({ cursor })),
          oursAgain: databaseContender(`${deepName}, again`, large, () => largeReader.list({ cursor })),
          others: [databaseContender('page 1', large, first)],
          targets: [{ against: 'page 1', atMost: 1.3 }],
          count: COUNT,
          effort,
        },
        print,
      );
      const sizeMet = await compare(
        'page, large',
        {
          ours: databaseContender(`page 1 of ${sizes.at(-1)} emails`, large, first),
          oursAgain: databaseContender(`page 1 of ${sizes.at(-1)} emails, again`, large, first),
          others: [databaseContender(`page 1 of ${sizes[0]} emails`, small, () => smallReader.list({}))],
          targets: [{ against: `page 1 of ${sizes[0]} emails`, atMost: 1.3 }],
          count: COUNT,
          effort,
        },
        print,
      );
      return deepMet && sizeMet;
    } finally {
      await Promise.all([smallReader.close(), largeReader.close()]);
      await Promise.all([small.close(), large.close()]);
    }
  },
};
