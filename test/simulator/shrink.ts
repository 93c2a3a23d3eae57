import { drawFaults, type FaultName } from './world/faults.ts';
import { chanceOf } from './world/chance.ts';
import { run, type RunOptions, type RunResult, USUAL_EMAILS } from './run.ts';

interface Shrunk {
  result: RunResult;
  options: RunOptions;
}

/** The faults that a seed draws for itself. */
function faultsOf(seed: number): FaultName[] {
  return drawFaults(chanceOf(seed).fork().fork());
}

/**
 * Makes a failing run smaller while one of its promises stays broken: fewer emails, fewer kinds of faults, then fewer
 * strikes of those that are left.
 */
export async function shrink(seed: number, first: RunResult, given: RunOptions = {}): Promise<Shrunk> {
  let best: Shrunk = { result: first, options: { only: faultsOf(seed), ...given } };
  const isSame = ({ broken }: RunResult) => Object.keys(broken).some((name) => name in first.broken);
  const attempt = async (options: RunOptions): Promise<boolean> => {
    const result = await run(seed, options);
    if (!isSame(result)) return false;
    best = { result, options };
    return true;
  };
  for (let emails = Math.floor((given.emails ?? USUAL_EMAILS) / 2); emails >= 1; emails = Math.floor(emails / 2)) {
    if (!(await attempt({ ...best.options, emails }))) break;
  }
  for (const name of best.options.only ?? []) {
    await attempt({ ...best.options, only: (best.options.only ?? []).filter((other) => other !== name) });
  }
  await leaveOutStrikes(() => best, attempt);
  return best;
}

/** Leaves out ever smaller groups of strikes, down to single ones. */
async function leaveOutStrikes(best: () => Shrunk, attempt: (options: RunOptions) => Promise<boolean>): Promise<void> {
  for (let size = Math.ceil(best().result.drawn / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 1; from <= best().result.drawn; from += size) {
      const without = new Set(best().options.without);
      const before = without.size;
      for (let number = from; number < from + size; number += 1) without.add(number);
      if (without.size > before) await attempt({ ...best().options, without });
    }
  }
}

/** The command that repeats a run. */
export function commandOf(seed: number, { workload, emails, only, without }: RunOptions = {}): string {
  const parts = [
    `npm run simulate -- --seed ${seed} --trace`,
    ...(workload === undefined ? [] : [`--workload ${workload}`]),
    ...(emails === undefined ? [] : [`--emails ${emails}`]),
    ...(only === undefined ? [] : [`--faults ${only.join() || 'none'}`]),
    ...(without && without.size > 0 ? [`--without ${[...without].toSorted((one, other) => one - other).join()}`] : []),
  ];
  return parts.join(' ');
}
