import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { startEmbeddedMongo } from '@postroom/embedded/start';
import type { Lifecycle } from '@postroom/runtime/lifecycle';
import { UsageError, type LocalConfig } from './config.ts';

const PATIENCE_MS = 10_000;
const RETRY_MS = 250;

const ENGINES = [
  { name: 'MongoDB', key: 'mongodbUri', variable: 'MONGODB_URI', port: 27_017, embedded: 'embedded server' },
  { name: 'Kafka', key: 'kafkaBrokers', variable: 'KAFKA_BROKERS', port: 9_092, embedded: 'in-process bus' },
  { name: 'Redis', key: 'redisUrl', variable: 'REDIS_URL', port: 6_379, embedded: 'in-process counters' },
] as const;

/** Says which engine is which, waits for the real ones, and starts the database where none is named. */
export async function openEngines(
  config: LocalConfig,
  directory: string,
  lifecycle: Lifecycle,
  say: (line: string) => void,
): Promise<{ mongodbUri: string }> {
  for (const engine of ENGINES) {
    const address = config[engine.key];
    say(`${engine.name}: ${address ? `${hosts(address, engine.port).join(', ')} (${engine.variable})` : engine.embedded}`);
  }
  await Promise.all(
    ENGINES.map(async ({ name, key, variable, port }) => {
      const address = config[key];
      if (address && !address.startsWith('mongodb+srv:')) await requireAnswer(name, variable, hosts(address, port));
    }),
  );
  if (config.mongodbUri) return { mongodbUri: config.mongodbUri };
  const embedded = await startEmbeddedMongo({ directory: join(directory, 'mongodb') });
  lifecycle.add('embedded MongoDB', () => embedded.close());
  return { mongodbUri: embedded.uri };
}

/** The host:port pairs of an address, without the user and password that it may hold. */
export function hosts(address: string, defaultPort: number): string[] {
  const authority = address.replace(/^[a-z+]+:\/\//i, '').split(/[/?]/)[0] ?? '';
  return authority
    .slice(authority.lastIndexOf('@') + 1)
    .split(',')
    .map((host) => (/:\d+$/.test(host) ? host : `${host}:${defaultPort}`));
}

async function requireAnswer(name: string, variable: string, candidates: string[]): Promise<void> {
  const end = Date.now() + PATIENCE_MS;
  while (Date.now() < end) {
    const answers = await Promise.all(candidates.map((host) => accepts(host, end - Date.now())));
    if (answers.some(Boolean)) return;
    await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
  }
  throw new UsageError(
    `${name} does not answer at ${candidates.join(', ')} within 10 s: start it, correct ${variable}, or unset it for the embedded engine`,
  );
}

function accepts(host: string, limitMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const split = host.lastIndexOf(':');
    const socket: Socket = connect({ host: host.slice(0, split), port: Number(host.slice(split + 1)) });
    const done = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(Math.max(1, Math.min(limitMs, 2_000)), () => done(false));
    socket.once('connect', () => done(true));
    socket.once('error', () => done(false));
  });
}
