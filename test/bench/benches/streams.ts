import { hash } from 'node:crypto';
import { get, type ClientRequest } from 'node:http';
import { openBenchDatabase } from '../bench-database.ts';
import type { Bench } from '../bench.ts';
import { startChild, type Child } from '../child.ts';

const STREAMS = 1_000;
const PER_WORKSPACE = 10;
const PER_SECOND = 5_000;
const SECONDS = 10;
const MEGABYTE = 1_048_576;
const CREATED = /"createdAt":"([^"]+)"/g;

/** Many open streams in one gateway while changes come, over a feed in memory: what a stream takes, and how late it is. */
export const streams: Bench = {
  name: 'streams',
  title: 'open streams of changes in one gateway: memory of each, and delay from a change to its client',
  run: async (config, print) => {
    const { share } = config.effort;
    const count = Math.max(PER_WORKSPACE, Math.round(STREAMS * share));
    const perSecond = Math.max(50, Math.round(PER_SECOND * share));
    // It is there to be connected to, and does nothing.
    const database = await openBenchDatabase(config, 0, print);
    const quiet = await measure({ count, perSecond: 0, seconds: 1 }, database.uri);
    const busy = await measure({ count, perSecond, seconds: Math.max(1, Math.round(SECONDS * share)) }, database.uri);
    await database.close();
    print(`  ${count} streams of ${count / PER_WORKSPACE} workspaces, idle: ${kilobytes(quiet)} KB of memory each`);
    print(
      `  the same at ${perSecond} changes/s: ${kilobytes(busy)} KB each; ${busy.heard} events in ${busy.seconds} s`,
    );
    const [p50, p99] = [0.5, 0.99].map((part) => busy.delays[Math.floor(busy.delays.length * part)] ?? NaN);
    print(`  delay from a change to its client: p50 ${p50} ms, p99 ${p99} ms; processor of the gateway ${busy.cpu} %`);
    const isMet = kilobytes(quiet) <= 50 && (p99 ?? Infinity) <= 1_000;
    print(`  targets: 50 KB for an idle stream, a second at p99: target ${isMet ? '' : 'not '}met`);
    return isMet;
  },
};

interface Load {
  count: number;
  perSecond: number;
  seconds: number;
}

type Measured = Awaited<ReturnType<typeof measure>>;
const kilobytes = ({ grown, count }: Measured) => Math.round((grown * MEGABYTE) / 1_024 / count);

async function measure({ count, perSecond, seconds }: Load, mongodbUri: string) {
  const feed = await startChild('feed-in-memory', String(perSecond));
  const gateway = await startChild('gateway', feed.ready.address ?? '', mongodbUri);
  const url = (gateway.ready.url ?? '').replace('/emails', '/changes/stream');
  try {
    // The first streams bring what the gateway needs once.
    const warm = await open(url, Math.min(count, 2 * PER_WORKSPACE), 'warm');
    const before = await gateway.memory();
    const clients = await open(url, count, 'bench');
    await pause(1_000);
    for (const client of [warm, clients]) client.delays.length = 0;
    const cpuBefore = await gateway.cpu();
    await pause(seconds * 1_000);
    const cpu = Math.round(((await gateway.cpu()) - cpuBefore) / 10_000 / seconds);
    const grown = ((await gateway.memory()) - before) / MEGABYTE;
    const delays = clients.delays.toSorted((a, b) => a - b);
    for (const request of [...warm.requests, ...clients.requests]) request.destroy();
    return { count, seconds, grown, delays, heard: delays.length, cpu };
  } finally {
    for (const child of [gateway, feed] satisfies Child[]) await child.close();
  }
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Opens streams, ten for each key, and notes how old each change is that comes. */
async function open(url: string, count: number, name: string) {
  const requests: ClientRequest[] = [];
  const delays: number[] = [];
  const openOne = (at: number) =>
    new Promise<void>((resolve, reject) => {
      const key = hash('sha256', `${name} ${Math.floor(at / PER_WORKSPACE)}`, 'hex').slice(0, 40);
      const headers = { authorization: `Bearer mk_${key}` };
      const request = get(url, { headers, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`a stream was answered ${response.statusCode}`));
        response.setEncoding('latin1').on('data', (text: string) => {
          const now = Date.now();
          for (const [, createdAt = ''] of text.matchAll(CREATED)) delays.push(now - Date.parse(createdAt));
        });
        response.on('error', () => undefined);
        resolve();
      });
      request.on('error', () => undefined);
      requests.push(request);
    });
  for (let at = 0; at < count; at += 50)
    await Promise.all(Array.from({ length: Math.min(50, count - at) }, (_, n) => openOne(at + n)));
  return { requests, delays };
}
