import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { FAULTS, type FaultName, faultNames } from './world/faults.ts';
import { run, type RunOptions, type RunResult, type WorkloadName, WORKLOADS } from './run.ts';
import { commandOf, shrink } from './shrink.ts';

const USAGE = `npm run simulate -- [options]

  --workload NAME   arriving: mail arrives and rules work on it (default)
                    sending: people and rules send, reply and forward
  --seeds N         how many seeds (default: 100), from --from N (default: by chance)
  --seed N          one seed; with --trace its story
  --emails N        how many emails, or messages, each run has (default: 16)
  --faults A,B      these faults instead of those that the seed draws; none for none
  --without 1,2     strikes that are left out, by their numbers

Faults:
${Object.entries(FAULTS)
  .map(([name, { what }]) => `  ${name.padEnd(18)}${what}`)
  .join('\n')}`;
const SAID_EVERY_MS = 2_000;

void main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      workload: { type: 'string', default: 'arriving' },
      seeds: { type: 'string', default: '100' },
      from: { type: 'string', default: String(randomInt(2 ** 31)) },
      seed: { type: 'string' },
      trace: { type: 'boolean', default: false },
      emails: { type: 'string' },
      faults: { type: 'string' },
      without: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help || !(values.workload in WORKLOADS)) return console.log(USAGE);
  const options: RunOptions = {
    workload: values.workload as WorkloadName,
    ...(values.emails && { emails: Number(values.emails) }),
    ...(values.faults && { only: values.faults.split(',').filter((name): name is FaultName => name in FAULTS) }),
    ...(values.without && { without: new Set(values.without.split(',').map(Number)) }),
  };
  if (values.seed === undefined) return runMany(Number(values.from), Number(values.seeds), options);
  const result = await run(Number(values.seed), options);
  if (values.trace) console.log(result.trace.join('\n'));
  console.log(`seed=${result.seed} ${result.seconds} s of virtual time, hash ${result.hash}`);
  if (isBroken(result)) await report(result, options);
}

async function runMany(from: number, count: number, options: RunOptions): Promise<void> {
  const begun = performance.now();
  const reached: Record<string, number> = {};
  let said = begun;
  let broken = 0;
  for (let n = 0; n < count; n += 1) {
    const result = await run(from + n, options);
    for (const name of Object.keys(result.strikes)) reached[name] = (reached[name] ?? 0) + 1;
    if (isBroken(result)) {
      broken += 1;
      await report(result, options);
    }
    if (performance.now() < said + SAID_EVERY_MS) continue;
    said = performance.now();
    console.log(`${n + 1} of ${count} seeds, ${broken} broken, ${perMinute(n + 1, begun)} a minute`);
  }
  const strikes = faultNames.flatMap((name) => (reached[name] ? [`${name}=${reached[name]}`] : []));
  console.log(`seeds in which each fault struck: ${strikes.join(' ')}`);
  console.log(`seeds=${count} from=${from} broken=${broken} ${perMinute(count, begun)} a minute`);
}

const perMinute = (count: number, begun: number) => Math.round(count / ((performance.now() - begun) / 60_000));
const isBroken = ({ broken }: RunResult) => Object.keys(broken).length > 0;

async function report(result: RunResult, options: RunOptions): Promise<void> {
  process.exitCode = 1;
  console.log(`\nseed=${result.seed} breaks ${lines(result)}\n  ${commandOf(result.seed, options)}`);
  const smaller = await shrink(result.seed, result, options);
  const left = smaller.result.drawn - (smaller.options.without?.size ?? 0);
  console.log(
    `with ${left} strikes it breaks ${lines(smaller.result)}\n  ${commandOf(result.seed, smaller.options)}\n`,
  );
}

const lines = ({ broken }: RunResult) =>
  Object.entries(broken)
    .map(([name, faults]) => `${name}\n    ${faults.join('\n    ')}`)
    .join('\n  ');
