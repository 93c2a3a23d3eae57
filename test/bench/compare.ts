/** One thing whose cost is measured: it does `count` operations and says what they cost. */
export interface Contender {
  name: string;
  /** Processor microseconds of every process that took part. */
  run(count: number): Promise<number>;
}

interface Target {
  /** Held against the first contender: ours / theirs. */
  against: string;
  atMost?: number;
  atLeast?: number;
}

interface Comparison {
  ours: Contender;
  /** A second run of ours: the difference between two identical runs is the noise of every ratio. */
  oursAgain: Contender;
  others: Contender[];
  targets: Target[];
  /** Operations in one round. */
  count: number;
  effort: Effort;
  /**
   * Operations of each before the first round; as many as in a round where absent. The engine compiles what is hot
   * during thousands of requests, and a program of few lines is through with that long before a service is.
   */
  warmUp?: number;
}

/** The number of rounds, and the measured share of each count. Only a share of 1 gives meaningful figures. */
export interface Effort {
  runs: number;
  share: number;
}

export const shareOf = ({ share }: Effort, count: number) => Math.max(1, Math.round(count * share));

const HONEST = { low: 0.9, high: 1.1 };

export async function compare(title: string, comparison: Comparison, print: (line: string) => void): Promise<boolean> {
  const { ours, oursAgain, others, targets, effort } = comparison;
  const { runs } = effort;
  const count = shareOf(effort, comparison.count);
  const warmUp = shareOf(effort, comparison.warmUp ?? comparison.count);
  const contenders = [ours, oursAgain, ...others];
  for (const contender of contenders) {
    await contender.run(warmUp);
    print(`  ${title}: ${contender.name} is warm`);
  }
  const costs = await interleave(contenders, count, runs, (run) => print(`  ${title}: round ${run} of ${runs}`));

  print(`${title} (${runs} rounds of ${count}, processor µs an operation; median, quartiles)`);
  for (const [index, { name }] of contenders.entries()) print(`  ${name.padEnd(44)} ${spread(costs[index] ?? [])}`);

  const same = median(ratios(costs[0] ?? [], costs[1] ?? []));
  const honest = same >= HONEST.low && same <= HONEST.high;
  print(
    `  the same twice: ${same.toFixed(2)}${honest ? '' : ` - outside ${HONEST.low}-${HONEST.high}: this run is void`}`,
  );
  const met = targets.map((target) => judge(target, contenders, costs, print));
  return honest && met.every(Boolean);
}

function judge(target: Target, contenders: Contender[], costs: number[][], print: (line: string) => void): boolean {
  const index = contenders.findIndex(({ name }) => name === target.against);
  const each = ratios(costs[0] ?? [], costs[index] ?? []);
  const ratio = median(each);
  const met = ratio <= (target.atMost ?? Infinity) && ratio >= (target.atLeast ?? -Infinity);
  const wanted = target.atMost === undefined ? `>= ${target.atLeast}` : `<= ${target.atMost}`;
  const quartiles = `${quantile(each, 0.25).toFixed(3)}-${quantile(each, 0.75).toFixed(3)}`;
  print(`  ours / ${target.against}: ${ratio.toFixed(3)} (${quartiles}), target ${wanted}: ${met ? 'met' : 'NOT met'}`);
  return met;
}

/** Round by round in turn, each round beginning with another, so that a machine's mood falls on all alike. */
async function interleave(
  contenders: Contender[],
  count: number,
  runs: number,
  onRun: (run: number) => void,
): Promise<number[][]> {
  const costs: number[][] = contenders.map(() => []);
  for (let run = 1; run <= runs; run++) {
    for (let step = 0; step < contenders.length; step++) {
      const index = (run + step) % contenders.length;
      const cost = await contenders[index]?.run(count);
      costs[index]?.push((cost ?? 0) / count);
    }
    onRun(run);
  }
  return costs;
}

const ratios = (ours: number[], theirs: number[]) => ours.map((value, run) => value / (theirs[run] ?? NaN));
export const median = (values: number[]) => quantile(values, 0.5);

export function quantile(values: number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = (sorted.length - 1) * share;
  const below = sorted[Math.floor(rank)] ?? NaN;
  const above = sorted[Math.ceil(rank)] ?? NaN;
  return below + (above - below) * (rank - Math.floor(rank));
}

function spread(values: number[]): string {
  const [low, middle, high] = [0.25, 0.5, 0.75].map((share) => quantile(values, share).toFixed(1));
  return `${middle} (${low}-${high})`;
}
