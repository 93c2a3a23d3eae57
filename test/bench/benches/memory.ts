import { freePort } from '@postroom/local/free-port';
import { addressesOf, choosePorts } from '@postroom/local/ports';
import { SERVICES } from '@postroom/local/services';
import { WorkspaceOperatorServiceDefinition } from '@postroom/proto/postroom/v1/workspace';
import { connect } from '@postroom/rpc/connect';
import { createServiceContext } from '@postroom/runtime/service-context';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { lacksBuild } from '../lacks.ts';
import { createLoad } from '../load.ts';
import { startService, type ServiceProcess } from '../service-process.ts';

const MEGABYTE = 1_048_576;
const MOST_IDLE = 120;
const MOST_GROWTH = 1.1;
const WORKSPACES = 40;
const BURST = 500;
const PATHS = [
  '/emails',
  '/emails?folderType=INBOX&limit=20',
  '/labels',
  '/emails/search?q=everywhere',
  '/mailboxes',
  '/views',
];

/** Measures the memory of each idle service, and its growth during minutes of load. */
export const memory: Bench = {
  name: 'memory',
  title: 'resident memory of each service as built, idle and under load ("npm run build" first)',
  lacks: lacksBuild,
  run: async (config, print) => {
    const database = await openBenchDatabase(config, 1_000, print);
    const processes: ServiceProcess[] = [];
    try {
      const { baseUrl, workspace } = await startAll(database.uri, processes);
      const keys = await createKeys(workspace);
      const idle = await memoryOf(processes);
      const work = (minutes: number) => peaksOf(processes, load(baseUrl, keys, minutes), print);
      print(`  ${processes.length} services are ready`);
      // The first minute fills caches and pools: growth is counted from there.
      const warm = await work(Math.max(Math.min(1, config.minutes), config.minutes / 10));
      const after = await work(config.minutes);
      print(`memory in MB: idle, most while warming up, most in ${config.minutes} minutes of load after that`);
      const met = processes.map(({ name }, index) =>
        judge(name, idle[index] ?? NaN, warm[index] ?? NaN, after[index] ?? NaN, print),
      );
      return met.every(Boolean);
    } finally {
      for (const process of processes.reverse()) await process.close();
      await database.close();
    }
  },
};

const OPERATOR_TOKEN = 'bench';

async function startAll(
  mongodbUri: string,
  processes: ServiceProcess[],
): Promise<{ baseUrl: string; workspace: string }> {
  const ports = await choosePorts();
  const addresses = addressesOf(ports);
  for (const name of SERVICES) {
    const tokens = { OPERATOR_TOKEN, MAILBOX_ACCESS_TOKEN: OPERATOR_TOKEN };
    const env = { MONGODB_URI: mongodbUri, ...tokens, ...ports[name], ...addresses };
    processes.push(await startService(name, await freePort(0), env));
  }
  return { baseUrl: `http://${addresses.GATEWAY_ADDR}/api/v1`, workspace: addresses.WORKSPACE_OPERATOR_ADDR };
}

/** As many tenants as it takes to stay under the limits of each. */
async function createKeys(address: string): Promise<string[]> {
  const context = createServiceContext({ name: 'bench', logLevel: 'silent' });
  const workspaces = connect(WorkspaceOperatorServiceDefinition, address, { context, token: OPERATOR_TOKEN });
  const keys = Array.from({ length: WORKSPACES }, async () => {
    const { id } = await workspaces.createWorkspace({ name: 'Bench', plan: 'expert' }, {});
    const key = { workspaceId: id, name: 'bench', scopes: ['read'], allowOutboundSend: false, expiresAt: undefined };
    return (await workspaces.createKey(key, {})).secret;
  });
  const secrets = await Promise.all(keys);
  workspaces.close();
  return secrets;
}

/** Works for so long, and stops between any two bursts to say how many requests were answered. */
async function* load(baseUrl: string, keys: string[], minutes: number): AsyncGenerator<number> {
  const loads = PATHS.map((path) =>
    createLoad({
      url: `${baseUrl}${path}`,
      headers: (n) => ({ authorization: `Bearer ${keys[n % keys.length]}` }),
      concurrency: 4,
    }),
  );
  const end = Date.now() + minutes * 60_000;
  for (let bursts = 1; Date.now() < end; bursts++) {
    const began = Date.now();
    await Promise.all(loads.map((ask) => ask(BURST)));
    yield bursts * BURST * PATHS.length;
    // Paced, so that no tenant meets its minute limit.
    const share = ((BURST * PATHS.length) / (keys.length * 900)) * 60_000;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, share - (Date.now() - began))));
  }
}

/** The most that each held between any two bursts: memory rises until it is collected, so one look says little. */
async function peaksOf(
  processes: ServiceProcess[],
  work: AsyncGenerator<number>,
  print: (line: string) => void,
): Promise<number[]> {
  let peaks = await memoryOf(processes);
  for await (const answered of work) {
    const now = await memoryOf(processes);
    peaks = peaks.map((peak, index) => Math.max(peak, now[index] ?? 0));
    print(`  ${answered} requests answered; ${now.map((value) => value.toFixed(0)).join(' ')} MB`);
  }
  return peaks;
}

async function memoryOf(processes: ServiceProcess[]): Promise<number[]> {
  const bytes = await Promise.all(processes.map((process) => process.memory()));
  return bytes.map((value) => value / MEGABYTE);
}

function judge(name: string, idle: number, warm: number, after: number, print: (line: string) => void): boolean {
  const met = idle <= MOST_IDLE && after <= warm * MOST_GROWTH;
  const growth = ((after / warm - 1) * 100).toFixed(1);
  print(
    `  ${name.padEnd(16)} ${[idle, warm, after].map((value) => value.toFixed(0).padStart(5)).join(' ')}   growth ${growth} %   ${met ? 'met' : 'NOT met'}`,
  );
  return met;
}
