import { join } from 'node:path';
import { startEmbeddedMongo } from '@postroom/embedded/start';
import { busOptions } from '@postroom/events/bus-fields';
import { meetKafka } from '@postroom/events/kafka-client';
import { redisSettings } from '@postroom/limits/limiter-fields';
import { openRedis } from '@postroom/limits/redis-connection';
import { openMailStore } from '@postroom/mail-store/connection';
import { storeSettings } from '@postroom/mail-store/store-fields';
import type { Lifecycle } from '@postroom/runtime/lifecycle';
import { silentLog } from '@postroom/runtime/log';
import { createServiceContext } from '@postroom/runtime/service-context';
import { systemClock } from '@postroom/runtime/clock';
import { within } from '@postroom/runtime/within';
import type { EngineVariables, LocalConfig } from './config.ts';
import { StartOptionError } from './start-option-error.ts';

const PATIENCE_MS = 10_000;
const RETRY_MS = 250;
const TOO_LATE = 'it took too long';

interface Engine {
  name: string;
  variable: 'MONGODB_URI' | 'KAFKA_BROKERS' | 'REDIS_URL';
  port: number;
  embedded: string;
  /** Resolves when the engine answered a question, which a port that is open does not prove. */
  ask: (variables: EngineVariables) => Promise<void>;
}

const engines: Engine[] = [
  { name: 'MongoDB', variable: 'MONGODB_URI', port: 27_017, embedded: 'embedded server', ask: askMongo },
  { name: 'Kafka', variable: 'KAFKA_BROKERS', port: 9_092, embedded: 'in-process bus', ask: askKafka },
  { name: 'Redis', variable: 'REDIS_URL', port: 6_379, embedded: 'in-process counters', ask: askRedis },
];

/** Prints the engines, waits for the real ones, and starts the embedded database if no address is set. */
export async function openEngines(
  config: LocalConfig,
  directory: string,
  lifecycle: Lifecycle,
  say: (line: string) => void,
): Promise<{ mongodbUri: string }> {
  const variables = config.engines;
  for (const { name, variable, port, embedded } of engines) {
    const address = variables[variable]?.toString();
    say(`${name}: ${address ? `${hosts(address, port)} (${variable})` : embedded}`);
  }
  const given = engines.filter(({ variable }) => variables[variable] !== undefined);
  await Promise.all(given.map((engine) => requireAnswer(engine, variables)));
  if (variables.MONGODB_URI) return { mongodbUri: variables.MONGODB_URI };
  const embedded = await startEmbeddedMongo({ directory: join(directory, 'mongodb') });
  lifecycle.add('embedded MongoDB', () => embedded.close());
  return { mongodbUri: embedded.uri };
}

/** The host:port pairs of an address, without the user and password that it may hold. */
function hosts(address: string, defaultPort: number): string {
  const authority = address.replaceAll(/[a-z+]+:\/\//gi, '').split(/[/?]/)[0] ?? '';
  const pairs = authority.split(',').map((host) => host.slice(host.lastIndexOf('@') + 1));
  return pairs.map((host) => (/:\d+$/.test(host) ? host : `${host}:${defaultPort}`)).join(', ');
}

async function requireAnswer({ name, variable, port, ask }: Engine, variables: EngineVariables): Promise<void> {
  let reason = TOO_LATE;
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    try {
      return await within({ ms: end - Date.now(), clock: systemClock, tooLate: () => new Error(TOO_LATE) }, () =>
        ask(variables),
      );
    } catch (error) {
      const said = (error as Error).message.split('\n')[0] ?? TOO_LATE;
      // The last attempt is cut off by the time limit, so the error of an earlier attempt tells more.
      if (said !== TOO_LATE) reason = said;
    }
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  const where = hosts(variables[variable]?.toString() ?? '', port);
  throw new StartOptionError(
    `${name} does not answer at ${where} within 10 s (${reason}): start it, correct ${variable}, or unset it for the embedded engine`,
  );
}

async function askMongo({ MONGODB_URI = '', ...variables }: EngineVariables): Promise<void> {
  const context = createServiceContext({ name: 'start', log: silentLog });
  const settings = storeSettings({ ...variables, MONGODB_URI });
  const { connection } = await openMailStore({ ...settings, needsSchema: false }, context);
  await connection.db?.command({ ping: 1 });
  await context.lifecycle.close();
}

async function askKafka(variables: EngineVariables): Promise<void> {
  const { brokers = [], ...options } = busOptions(variables);
  await meetKafka({ ...options, brokers, clientId: 'start' });
}

async function askRedis(variables: EngineVariables): Promise<void> {
  const settings = redisSettings(variables);
  if (!settings) return;
  const client = openRedis(settings, silentLog);
  try {
    await new Promise<void>((resolve, reject) => client.once('ready', () => resolve()).once('error', reject));
    await client.ping();
  } finally {
    client.disconnect();
  }
}
