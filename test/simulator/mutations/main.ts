import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { MUTATIONS } from './all.ts';
import type { Mutation } from './mutation.ts';
import type { Told } from './try.ts';

const USAGE = `npm run mutations -- [options]

  --seeds N      how many seeds try each mutation (default: 100)
  --workload W   the mutations of one workload
  --only TEXT    the mutations whose words have this text`;
/** A mutation may repeat one step without an end, in which no virtual time passes. */
const LONGEST_SEED_MS = 120_000;

void main();

/** Tries each mutation until a seed breaks a promise. It fails where one survives. */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '100' },
      workload: { type: 'string' },
      only: { type: 'string', default: '' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const isWanted = ({ fault, workload }: Mutation) =>
    fault.includes(values.only) && (values.workload ?? workload) === workload;
  const left = [...MUTATIONS.entries()].flatMap(([number, one]) => (isWanted(one) ? number : []));
  const [count, survived] = [left.length, [] as string[]];
  const workOff = async (): Promise<void> => {
    for (let number = left.shift(); number !== undefined; number = left.shift()) {
      const found = await tryOne(number, Number(values.seeds));
      const { workload, fault } = MUTATIONS[number] as (typeof MUTATIONS)[number];
      if (found === undefined) survived.push(fault);
      console.log(`${workload}: ${fault}: ${found ?? 'survives'}`);
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, workOff));
  console.log(`mutations=${count} found=${count - survived.length} seeds=${values.seeds}`);
  if (survived.length > 0) process.exitCode = 1;
}

/** In words, the seed that finds a mutation; undefined where it survives. */
function tryOne(number: number, seeds: number): Promise<string | undefined> {
  const env = { ...process.env, POSTROOM_MUTATION: JSON.stringify(MUTATIONS[number]) };
  const child = fork(join(__dirname, 'try.ts'), [String(number), String(seeds)], { env, stdio: 'pipe' });
  const begun = performance.now();
  let [done, errors, found] = [0, '', undefined as string | undefined];
  const end = () => {
    found = `found by seed ${done + 1}: it does not end`;
    child.kill('SIGKILL');
  };
  let watch = setTimeout(end, LONGEST_SEED_MS);
  child.stderr?.on('data', (text) => (errors += String(text)));
  child.on('message', ({ seed, broken }: Told) => {
    done = seed;
    clearTimeout(watch);
    watch = setTimeout(end, LONGEST_SEED_MS);
    const seconds = Math.round((performance.now() - begun) / 1_000);
    if (broken) found = `found by seed ${seed} after ${seconds} s: ${broken.join('; ')}`;
  });
  return new Promise((resolve, reject) =>
    child.once('exit', (code) => {
      clearTimeout(watch);
      if (found === undefined && code !== 0) reject(new Error(`mutation ${number} cannot be tried: ${errors}`));
      else resolve(found);
    }),
  );
}
