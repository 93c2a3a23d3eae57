import { fork } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { FAULTS, type FaultName, faultNames } from './world/faults.ts';
import { run, type RunOptions, type RunResult, type WorkloadName, WORKLOADS } from './run.ts';
import { commandOf, shrink } from './shrink.ts';

const USAGE = `npm run simulate -- [options]

  --workload NAME   arriving: mail arrives and rules work on it (default)
                    ingest: messages of one mailbox come from three sources
                    sending: people and rules send, reply and forward
                    rules: backfills, and people who undo what rules do
                    sync: mailboxes at a provider change there and over the API
                    calls: clients repeat calls under their keys, several at once
                    feed: people change emails, and clients follow the feed
                    webhooks: changes are delivered to endpoints, some of them sick
                    all: each seed with every one of them
  --seeds N         how many seeds (default: 100), from --from N (default: by chance)
  --seed N          one seed; with --trace its story
  --twice           runs each seed twice; both runs have to give the same story
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
      twice: { type: 'boolean', default: false },
      emails: { type: 'string' },
      faults: { type: 'string' },
      without: { type: 'string' },
      // Of a process of many seeds, for the one that began it.
      share: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const workloads = workloadsOf(values.workload);
  if (values.help || workloads.length === 0) return console.log(USAGE);
  const options: RunOptions = {
    ...(values.emails && { emails: Number(values.emails) }),
    ...(values.faults && { only: values.faults.split(',').filter((name): name is FaultName => name in FAULTS) }),
    ...(values.without && { without: new Set(values.without.split(',').map(Number)) }),
  };
  const runs = workloads.map((workload): RunOptions => ({ workload, ...options }));
  if (values.share) {
    const [first = 0, step = 1, end = 0] = values.share.split(',').map(Number);
    return runShare({ from: first, step, end }, runs, values.twice ? runTwice : run);
  }
  if (values.seed === undefined) return runMany(Number(values.from), Number(values.seeds), workloads.length);
  for (const one of runs) await runSeed(Number(values.seed), one, values.trace);
}

function workloadsOf(name: string): WorkloadName[] {
  const names = Object.keys(WORKLOADS) as WorkloadName[];
  return name === 'all' ? names : names.filter((one) => one === name);
}

async function runSeed(seed: number, options: RunOptions, isTold: boolean): Promise<void> {
  const result = await run(seed, options);
  if (isTold) console.log(result.trace.join('\n'));
  console.log(`seed=${seed} ${options.workload}: ${result.seconds} s of virtual time, hash ${result.hash}`);
  if (isBroken(result)) await report(result, options);
}

/** One process for each core: a run is busy all the time. */
async function runMany(from: number, seeds: number, workloads: number): Promise<void> {
  const count = seeds * workloads;
  const begun = performance.now();
  const reached: Record<string, number> = {};
  let [said, done, broken] = [begun, 0, 0];
  const hear = ({ struck, isBroken: isRed }: Told): void => {
    for (const name of struck) reached[name] = (reached[name] ?? 0) + 1;
    done += 1;
    if (isRed) broken += 1;
    if (performance.now() < said + SAID_EVERY_MS) return;
    said = performance.now();
    console.log(`${done} of ${count} runs, ${broken} broken, ${perMinute(done, begun)} a minute`);
  };
  const jobs = Math.min(availableParallelism(), seeds);
  const exits = Array.from({ length: jobs }, (_, job) =>
    runInChild({ from: from + job, step: jobs, end: from + seeds }, hear),
  );
  const isCutShort = (await Promise.all(exits)).some((code) => code !== 0) || done < count;
  const strikes = faultNames.flatMap((name) => (reached[name] ? [`${name}=${reached[name]}`] : []));
  console.log(`runs in which each fault struck: ${strikes.join(' ')}`);
  console.log(`runs=${done} seeds=${seeds} from=${from} broken=${broken} ${perMinute(done, begun)} a minute`);
  if (broken > 0 || isCutShort) process.exitCode = 1;
}

/** Of one run, for the process that counts. */
interface Told {
  struck: string[];
  isBroken: boolean;
}

interface Share {
  from: number;
  step: number;
  end: number;
}

function runInChild({ from, step, end }: Share, hear: (told: Told) => void): Promise<number | null> {
  const child = fork(__filename, [...process.argv.slice(2), '--share', [from, step, end].join()]);
  child.on('message', (told) => hear(told as Told));
  return new Promise((resolve) => child.once('exit', resolve));
}

async function runShare({ from, step, end }: Share, runs: readonly RunOptions[], runOne: typeof run): Promise<void> {
  for (let seed = from; seed < end; seed += step)
    for (const options of runs) {
      const result = await runOne(seed, options);
      if (isBroken(result)) await report(result, options);
      process.send?.({ struck: Object.keys(result.strikes), isBroken: isBroken(result) } satisfies Told);
    }
  process.exitCode = 0;
  process.disconnect();
}

async function runTwice(seed: number, options?: RunOptions): Promise<RunResult> {
  const [first, second] = [await run(seed, options), await run(seed, options)];
  if (second.hash === first.hash) return first;
  const at = first.trace.findIndex((line, n) => line !== second.trace[n]);
  const fault = `its line ${at + 1} is "${first.trace[at]}" and then "${second.trace[at]}"`;
  return { ...first, broken: { ...first.broken, 'a seed has one story': [fault] } };
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
