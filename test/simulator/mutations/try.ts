import { run } from '../run.ts';
import { MUTATIONS } from './all.ts';

/** The first seed that finds the mutation of this process, and the promises that it breaks. */
export interface Told {
  seed: number;
  broken?: readonly string[];
}

void tryMutation();

/** A process of its own, because the mutation is in the code that it has loaded: `register.cjs` puts it there. */
async function tryMutation(): Promise<void> {
  const [number, seeds] = process.argv.slice(2).map(Number) as [number, number];
  const { workload = 'arriving' } = MUTATIONS[number] ?? {};
  for (let seed = 1; seed <= seeds; seed += 1) {
    const broken = Object.keys((await run(seed, { workload })).broken);
    process.send?.({ seed, ...(broken.length > 0 && { broken }) } satisfies Told);
    if (broken.length > 0) break;
  }
  process.disconnect();
}
