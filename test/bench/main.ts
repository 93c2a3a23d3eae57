import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { app } from './benches/app.ts';
import { chain } from './benches/chain.ts';
import { circuit } from './benches/circuit.ts';
import { classify } from './benches/classify.ts';
import { events } from './benches/events.ts';
import { http } from './benches/http.ts';
import { limiter } from './benches/limiter.ts';
import { mcp } from './benches/mcp.ts';
import { memory } from './benches/memory.ts';
import { mime } from './benches/mime.ts';
import { page } from './benches/page.ts';
import { pipeline } from './benches/pipeline.ts';
import { read } from './benches/read.ts';
import { search } from './benches/search.ts';
import { streams } from './benches/streams.ts';
import { sync } from './benches/sync.ts';
import { syncIdle } from './benches/sync-idle.ts';
import { syncLive } from './benches/sync-live.ts';
import { webhooks } from './benches/webhooks.ts';
import { readBenchConfig, SHORT } from './config.ts';

const benches: Bench[] = [
  app,
  chain,
  http,
  limiter,
  circuit,
  read,
  page,
  search,
  mime,
  events,
  classify,
  pipeline,
  sync,
  syncLive,
  syncIdle,
  streams,
  webhooks,
  mcp,
  memory,
];

const USAGE = `npm run bench -- [options] [name...]

Without a name, every bench runs that can run here.

${benches.map(({ name, title }) => `  ${name.padEnd(16)}${title}`).join('\n')}

  --runs N        rounds of each comparison (default: 7)
  --sizes N,N     emails in the data benches (default: 10000,100000)
  --minutes N     how long the benches of memory work (default: 10)
  --short         one round of almost nothing: shows that the benches work, and its figures mean nothing`;

const options = {
  runs: { type: 'string', default: '7' },
  sizes: { type: 'string', default: '10000,100000' },
  minutes: { type: 'string', default: '10' },
  short: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

void main();

async function main(): Promise<void> {
  const { config, help, chosen } = readArguments();
  if (help) return console.log(USAGE);
  console.log(
    `MongoDB: ${config.mongodbUri ? 'MONGODB_URI' : 'embedded'}, Redis: ${config.redisUrl ? 'REDIS_URL' : 'in-process counters'}, ` +
      `Kafka: ${config.kafkaBrokers ? 'KAFKA_BROKERS' : 'none'}`,
  );

  let allMet = true;
  for (const bench of chosen) {
    console.log(`\n${bench.name}: ${bench.title}`);
    const lacking = bench.lacks?.(config);
    if (lacking) console.log(`Went without: ${bench.name} needs ${lacking}`);
    else allMet = (await bench.run(config, (line) => console.log(line))) && allMet;
  }
  // Targets are for people to read: a noisy machine must not turn anything red.
  console.log(`\n${allMet ? 'every target met' : 'some targets not met, or a run was void: see above'}`);
  process.exit(0);
}

/** Reads the command line. An invalid argument ends the process with one line of explanation. */
function readArguments() {
  try {
    const { values, positionals } = parseArgs({ allowPositionals: true, options });
    const { runs, sizes, minutes, short, help } = values;
    const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
    if (unknown.length > 0) throw new Error(`no bench is called ${unknown.join(', ')}`);
    const asked = { runs: Number(runs), sizes: sizes.split(',').map(Number), minutes: Number(minutes) };
    const config = { ...readBenchConfig(process.env, asked), ...(short && SHORT) };
    const chosen = benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
    return { config, help, chosen };
  } catch (error) {
    console.error(`${(error as Error).message.split('. ')[0]}; npm run bench -- --help lists what there is`);
    process.exit(2);
  }
}
