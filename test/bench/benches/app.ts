import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { median, quantile, shareOf } from '../compare.ts';
import { paced } from '../paced.ts';
import { openPeopleAtWork, type PeopleAtWork } from '../people-at-work.ts';

const PEOPLE = 200;
const WORKSPACES = 10;
const EMAILS = 60;
const API_PER_SECOND = 15;
const WINDOW_MS = 10_000;
const AT_MOST = 1.3;
const HONEST = { low: 0.8, high: 1.25 };

interface Window {
  /** Of the API, in milliseconds. */
  p90: number;
  /** Answers other than 200, of the API and of the app. */
  refused: number;
}

/** Windows with and without people alternate, so that the load of the machine falls on both alike. */
export const app: Bench = {
  name: 'app',
  title: 'GET /emails while people work in the app, against the same without them: p90 of the API',
  run: async (config, print) => {
    const { runs, share } = config.effort;
    const count = Math.max(4, Math.round(PEOPLE * share));
    const windowMs = Math.max(1_000, WINDOW_MS * share);
    const database = await openBenchDatabase(config, 0, () => undefined);
    const [workspaces, emails] = [shareOf(config.effort, WORKSPACES), shareOf(config.effort, EMAILS)];
    const world = await openPeopleAtWork(database, { people: count, workspaces, emails });
    try {
      const measure = (isBusy: boolean) => measureWindow(world, { isBusy, windowMs });
      await measure(true);
      const measured: { quiet: Window; busy: Window; again: Window }[] = [];
      for (let run = 1; run <= runs; run += 1) {
        measured.push({ quiet: await measure(false), busy: await measure(true), again: await measure(false) });
        print(`  run ${run} of ${runs}`);
      }
      return judge(measured, count, print);
    } finally {
      await world.close();
      await database.close();
    }
  },
};

function judge(
  measured: readonly { quiet: Window; busy: Window; again: Window }[],
  count: number,
  print: (line: string) => void,
): boolean {
  const of = (figure: (one: (typeof measured)[number]) => number) => median(measured.map(figure));
  const ms = (figure: number) => `${figure.toFixed(1)} ms`;
  const refused = measured.reduce(
    (sum, { quiet, busy, again }) => sum + quiet.refused + busy.refused + again.refused,
    0,
  );
  const same = of(({ quiet, again }) => quiet.p90 / again.p90);
  const isHonest = same >= HONEST.low && same <= HONEST.high;
  const ratio = of(({ quiet, busy, again }) => (2 * busy.p90) / (quiet.p90 + again.p90));
  const alone = `${ms(of(({ quiet }) => quiet.p90))} and ${ms(of(({ again }) => again.p90))} alone`;
  print(`  p90 of the API: ${alone}, ${ms(of(({ busy }) => busy.p90))} beside ${count} people; ${refused} refused`);
  const range = `${HONEST.low}-${HONEST.high}`;
  print(`  the same twice: ${same.toFixed(2)}${isHonest ? '' : ` - outside ${range}: this run is void`}`);
  const isMet = isHonest && refused === 0 && ratio <= AT_MOST;
  print(`  beside / alone: ${ratio.toFixed(2)}, at most ${AT_MOST}: target ${isMet ? '' : 'not '}met`);
  return isMet;
}

async function measureWindow(
  { api, work }: PeopleAtWork,
  { isBusy, windowMs }: { isBusy: boolean; windowMs: number },
): Promise<Window> {
  const took: number[] = [];
  let refused = 0;
  const timed = async (n: number) => {
    const begun = performance.now();
    if (!(await api(n))) refused += 1;
    took.push(performance.now() - begun);
  };
  const [refusedPages] = await Promise.all([
    isBusy ? work(windowMs) : 0,
    paced(timed, { perSecond: API_PER_SECOND, windowMs }),
  ]);
  return { p90: quantile(took, 0.9), refused: refused + refusedPages };
}
