import { parseArgs } from 'node:util';
import { startEmbeddedProcess } from '../../engines/support/embedded-process.ts';
import { attacks, titleOf } from './attacks/table.ts';
import { brokenBy, MOST_HEAVIER } from './promise.ts';
import { openAttackRun } from './attack-run.ts';

const USAGE = `npm run hostile -- [options] [words of an attack's name...]

  --passes N      rounds of a victim's four calls in each attack (default: 60)
  --emails N      emails of each neighbour (default: 20000)`;

void main();

/** Every attack for as long as one likes, and a line on what it did. */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      passes: { type: 'string', default: '60' },
      emails: { type: 'string', default: '20000' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const chosen = attacks.filter((attack) => {
    return positionals.length === 0 || positionals.some((word) => titleOf(attack).includes(word));
  });
  const database = await startEmbeddedProcess(undefined);
  const attackRun = await openAttackRun(database.uri, {
    neighbours: 3,
    emails: Number(values.emails),
    victims: 3,
    passes: Number(values.passes),
    quietPasses: 10,
    warmPasses: 20,
  });
  for (const attack of chosen) {
    const outcome = await attackRun.suffer(attack);
    const broken = brokenBy(outcome);
    if (broken) process.exitCode = 1;
    const figures = `${outcome.quiet.toFixed(0).padStart(5)} -> ${outcome.attacked.toFixed(0).padStart(5)} ms`;
    console.log(
      `${figures}  ${String(outcome.tally.done).padStart(6)} times, ${outcome.tally.refused} of them 429  ${titleOf(attack)}`,
    );
    console.log(`       ${attackRun.scales.latest()}`);
    if (broken) console.log(`       BROKEN: ${broken}`);
  }
  console.log(attackRun.scales.lines().join('\n'));
  const heavy = attackRun.scales.tooHeavy(MOST_HEAVIER);
  if (heavy.length > 0) process.exitCode = 1;
  console.log(heavy.length > 0 ? `TOO HEAVY: ${heavy.join('; ')}` : 'no service took too much');
  await attackRun.close();
  await database.close();
  process.exit();
}
