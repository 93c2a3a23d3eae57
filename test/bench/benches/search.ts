import { wordsQuery } from '../../../services/mailbox-read/src/listing/words-query.ts';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { compare } from '../compare.ts';
import { databaseContender } from '../database-contender.ts';
import { examined } from '../examined.ts';
import { COMMON_WORD, RARE_WORD } from '../mail.ts';
import { openReader } from '../reader.ts';

const COUNT = 40;
const WORDS = { common: COMMON_WORD, rare: RARE_WORD, absent: 'nowhereatall' };

/** A common word costs no more than a rare one, and in a large mailbox no more than in a small one. */
export const search: Bench = {
  name: 'search',
  title: 'GET /emails/search: rare, common and absent words in a small and a large mailbox',
  run: async (config, print) => {
    const { effort, sizes } = config;
    const small = await openBenchDatabase(config, sizes[0] ?? 10_000, print);
    const large = await openBenchDatabase(config, sizes.at(-1) ?? 100_000, print);
    const [smallReader, largeReader] = [await openReader(small), await openReader(large)];
    let allMet = true;
    try {
      for (const [kind, q] of Object.entries(WORDS)) {
        print(`  ${kind} word: ${await examined(large, wordsQuery([q]))}`);
        const inLarge = () => largeReader.search({ q });
        const met = await compare(
          `search, ${kind} word`,
          {
            ours: databaseContender(`${sizes.at(-1)} emails`, large, inLarge),
            oursAgain: databaseContender(`${sizes.at(-1)} emails, again`, large, inLarge),
            others: [databaseContender(`${sizes[0]} emails`, small, () => smallReader.search({ q }))],
            targets: [{ against: `${sizes[0]} emails`, atMost: 1.5 }],
            count: COUNT,
            effort,
          },
          print,
        );
        allMet &&= met;
      }
      return allMet;
    } finally {
      await Promise.all([smallReader.close(), largeReader.close()]);
      await Promise.all([small.close(), large.close()]);
    }
  },
};
