import fc from 'fast-check';
import { demoMail } from '@postroom/local/demo/demo-mail';
import { hostileMessages } from '../../mail/hostile.ts';
import { differences, ours, theirs } from '../../mail/two-parsers.ts';
import { postal } from '../../mail/third-parser.ts';
import { randomMail } from '../../mail/random-mail.ts';
import type { Bench } from '../bench.ts';
import { compare, type Contender, type Effort, shareOf } from '../compare.ts';
import { parseHostile } from '../hostile-parsing.ts';
import { ownMicros } from '../own-micros.ts';
import { type ParserName, parsers } from '../parsers.ts';

const RANDOM = 300;
const DEMO = 1_000;

/** Taking mail apart, against the two libraries that do it: ordinary mail by its cost, hostile mail by what becomes of it. */
export const mime: Bench = {
  name: 'mime',
  title: 'our MIME parser against mailparser and postal-mime',
  run: async ({ effort }, print) => {
    const numRuns = shareOf(effort, RANDOM);
    const corpus = [...(await demo(effort)), ...fc.sample(randomMail, { numRuns, seed: 1 })];
    const bytes = corpus.reduce((sum, raw) => sum + raw.length, 0);
    print(`  ${corpus.length} messages of ${Math.round(bytes / corpus.length)} bytes on average`);
    const contender = (name: string, parser: ParserName): Contender => ({
      name,
      run: async (count) => {
        const before = ownMicros();
        for (let n = 0; n < count; n++) await parsers[parser](corpus[n % corpus.length] as Buffer);
        return ownMicros() - before;
      },
    });
    const met = await compare(
      'mime',
      {
        ours: contender('ours', 'ours'),
        oursAgain: contender('ours, again', 'ours'),
        others: [contender('mailparser', 'mailparser'), contender('postal-mime', 'postal-mime')],
        targets: [
          { against: 'mailparser', atMost: 1 },
          { against: 'postal-mime', atMost: 1 },
        ],
        count: corpus.length,
        effort,
      },
      print,
    );
    await countAlike(numRuns, print);
    for (const parser of Object.keys(parsers) as ParserName[]) {
      print(`  hostile mail, ${parser}`);
      const { fates, lost, seconds, slowest } = await parseHostile(parser, shareOf(effort, hostileMessages.length));
      const shares = Object.entries(fates).map(([fate, count]) => `${count} ${fate}`);
      print(
        `  hostile mail, ${parser}: ${shares.join(', ')}; ${seconds.toFixed(0)} s in all, longest ${slowest.seconds.toFixed(1)} s (${slowest.name})`,
      );
      for (const name of lost) print(`    ${name}`);
    }
    return met;
  },
};

/** Sound mail in random forms: how much of it the others read as we do, and how the rest differs. */
async function countAlike(numRuns: number, print: (line: string) => void): Promise<void> {
  const mails = fc.sample(randomMail, { numRuns, seed: 7 });
  for (const [name, read] of [
    ['mailparser', theirs],
    ['postal-mime', postal],
  ] as const) {
    const parts = new Map<string, number>();
    let alike = 0;
    for (const raw of mails) {
      const differing = differences(ours(raw), await read(raw));
      if (differing.length === 0) alike += 1;
      for (const part of differing) parts.set(part, (parts.get(part) ?? 0) + 1);
    }
    const others = [...parts].map(([part, count]) => `${count} differ in ${part}`);
    print(`  random mail, ${name}: ${[`${alike} of ${numRuns} read as we read it`, ...others].join(', ')}`);
  }
}

async function demo(effort: Effort): Promise<Buffer[]> {
  const raws: Buffer[] = [];
  const options = { seed: 1, count: shareOf(effort, DEMO), now: new Date('2026-03-03T10:00:00Z') };
  for await (const { raw } of demoMail(options)) raws.push(raw);
  return raws;
}
