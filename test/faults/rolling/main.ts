import { existsSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { SERVICES } from '@postroom/local/services';
import { render } from '../../chart/helm.ts';
import { startEmbeddedProcess } from '../../engines/support/embedded-process.ts';
import { ROOT } from '../../guards/sources.ts';
import type { Version } from './pods.ts';
import { brokenOf, rollOver } from './rolling.ts';

const USAGE = `npm run rolling -- [options]     after npm run build; MONGODB_URI, KAFKA_BROKERS and REDIS_URL are used where set

  --from FOLDER   a built checkout of the version before, from which to upgrade (default: this one)
  --back          return to the version before at the end
  --passes N      how often every pod is replaced (default: 2)
  --at-once N     how many services roll at once (default: 3)
  --calls N       calls a second (default: 100)
  --emails N      emails a second (default: 20)
  --seconds N     how long the load lasts at least (default: 300)
  --delay T       how long a pod serves on after SIGTERM (default: the chart's)
  --logs FOLDER   where what every pod said is written`;

void main();

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      from: { type: 'string', default: ROOT },
      back: { type: 'boolean', default: false },
      passes: { type: 'string', default: '2' },
      'at-once': { type: 'string', default: '3' },
      calls: { type: 'string', default: '100' },
      emails: { type: 'string', default: '20' },
      seconds: { type: 'string', default: '300' },
      delay: { type: 'string' },
      logs: { type: 'string' },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  // The handler of the exit event ends the pods; a signal alone would not call it.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const after = versionAt(ROOT);
  const before = resolve(values.from) === ROOT ? after : versionAt(resolve(values.from));
  const { MONGODB_URI, KAFKA_BROKERS, REDIS_URL } = process.env;
  const given = Object.entries({ MONGODB_URI, KAFKA_BROKERS, REDIS_URL }).flatMap(([name, said]) => (said ? name : []));
  console.log(`engines that are given: ${given.join(', ') || 'none'}`);
  const database = MONGODB_URI ? undefined : await startEmbeddedProcess(undefined);
  const report = await rollOver({
    services: SERVICES,
    mongodbUri: database?.uri ?? MONGODB_URI ?? '',
    kafkaBrokers: KAFKA_BROKERS,
    redisUrl: REDIS_URL,
    before,
    after,
    passes: Number(values.passes),
    isTakenBack: values.back,
    atOnce: Number(values['at-once']),
    lastsMs: Number(values.seconds) * 1_000,
    callsPerSecond: Number(values.calls),
    emailsPerSecond: Number(values.emails),
    delay: values.delay,
    lateCallsMs: 500,
  });
  await database?.close();
  const { said, reasons, ...figures } = report;
  const isKept = Object.keys(brokenOf(report)).length === 0;
  const { logs } = values;
  if (logs) said.forEach((pod, at) => writeFileSync(join(logs, `${pod.name}-${at}.log`), pod.said));
  for (const reason of reasons) console.log(reason);
  const told = Object.entries(figures).map(([name, figure]) => `${name}=${figure}`);
  console.log(`P22 ${isKept ? 'PASS' : 'FAIL'} ${told.join(', ')}`);
  process.exitCode = isKept ? 0 : 1;
}

function versionAt(root: string): Version {
  if (!existsSync(join(root, 'services/gateway/dist/main.js'))) throw new Error(`${root} is not built: npm run build`);
  return { built: root, objects: render({ chart: join(root, 'charts/postroom') }) };
}
