import { parseArgs } from 'node:util';
import type { Bench } from './bench.ts';
import { chain } from './benches/chain.ts';
import { events } from './benches/events.ts';
import { http } from './benches/http.ts';
import { limiter } from './benches/limiter.ts';
import { memory } from './benches/memory.ts';
import { page } from './benches/page.ts';
import { read } from './benches/read.ts';
import { search } from './benches/search.ts';
import { readBenchConfig } from './config.ts';

const benches: Bench[] = [chain, http, limiter, read, page, search, events, memory];

void main();

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '7' },
      sizes: { type: 'string', default: '10000,100000' },
      minutes: { type: 'string', default: '10' },
    },
  });
  const unknown = positionals.filter((name) => !benches.some((bench) => bench.name === name));
  if (unknown.length > 0) {
    console.error(`no bench is called ${unknown.join(', ')}; there are: ${benches.map(({ name }) => name).join(', ')}`);
    process.exit(2);
  }
  const config = readBenchConfig(
    process.env,
    Number(values.rounds),
    values.sizes.split(',').map(Number),
    Number(values.minutes),
  );
  console.log(
    `MongoDB: ${config.mongodbUri ? 'MONGODB_URI' : 'embedded'}, Redis: ${config.redisUrl ? 'REDIS_URL' : 'in-process counters'}, ` +
      `Kafka: ${config.kafkaBrokers ? 'KAFKA_BROKERS' : 'none'}`,
  );

  let allMet = true;
  for (const bench of benches.filter(({ name }) => positionals.length === 0 || positionals.includes(name))) {
    console.log(`\n${bench.name}: ${bench.title}`);
    const met = await bench.run(config, (line) => console.log(line));
    if (met === undefined) console.log('  not run here: its engine is not given');
    allMet &&= met ?? true;
  }
  // Targets are for people to read: a noisy machine must not turn anything red.
  console.log(`\n${allMet ? 'every target met' : 'some targets not met, or a run was void: see above'}`);
  process.exit(0);
}
