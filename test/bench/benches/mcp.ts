import { Agent, request } from 'node:http';
import { planLimits } from '@postroom/contract/plans';
import type { Bench } from '../bench.ts';
import { openBenchDatabase } from '../bench-database.ts';
import { startChild, type Child } from '../child.ts';

const AGENTS = 500;
const AGENTS_OF_WORKSPACE = 50;
const CALLS_EACH = 8;
const IDLE_CLIENTS = 2_000;
const MOST_IDLE_BYTES = 20_000;
const MINUTE_MS = 60_000;
/** All calls have to fall into one minute, of which the limit is: they begin no later than this in it. */
const BEGINNING_MS = 5_000;
const TOKEN = 'of the bench';
const { perMinute, perMonth } = planLimits.premium;

/** Many agents at once at one MCP server, with the limits and the quota of the API behind it. */
export const mcp: Bench = {
  name: 'mcp',
  title: '500 agents at once: units answered against units counted, and memory of an idle client',
  run: async (config, print) => {
    const { share } = config.effort;
    const workspaces = Math.max(2, Math.round((AGENTS / AGENTS_OF_WORKSPACE) * share));
    const clients = Math.max(50, Math.round(IDLE_CLIENTS * share));
    const database = await openBenchDatabase(config, 1, print);
    const children: Child[] = [];
    try {
      const api = await startChild('api-stack', database.uri, `${workspaces}`, TOKEN);
      children.unshift(api);
      const server = await startChild('mcp', api.ready.gateway ?? '', TOKEN);
      children.unshift(server);
      const url = server.ready.url ?? '';
      const keys = (api.ready.keys ?? '').split(' ');
      const isExact = await countUnits({ url, baseUrl: api.ready.baseUrl ?? '', keys }, print);
      const isSmall = await weighIdle({ url, key: keys[0] ?? '', clients, server }, print);
      return isExact && isSmall;
    } finally {
      for (const child of children) await child.close();
      await database.close();
    }
  },
};

interface Target {
  url: string;
  baseUrl: string;
  keys: string[];
}

/** Each workspace has more calls than its minute allows: it gets exactly its limit, and pays for each answer once. */
async function countUnits({ url, baseUrl, keys }: Target, print: (line: string) => void): Promise<boolean> {
  await untilEarlyInMinute();
  const agents = keys.flatMap((key) => Array.from({ length: AGENTS_OF_WORKSPACE }, () => key));
  const agent = new Agent({ keepAlive: true, maxSockets: agents.length });
  const startedAt = Date.now();
  const answers = await Promise.all(
    agents.map(async (key) => {
      const own: Outcome[] = [];
      while (own.length < CALLS_EACH) own.push(await callTool(url, key, agent));
      return { key, own };
    }),
  );
  const endedAt = Date.now();
  const ms = endedAt - startedAt;
  agent.destroy();
  const all = answers.flatMap(({ own }) => own);
  const count = (outcome: Outcome) => all.filter((one) => one === outcome).length;
  print(
    `  ${agents.length} agents, ${all.length} calls in ${ms} ms: ${count('ok')} answered, ${count('limited')} refused`,
  );
  const isVoid = minuteOf(endedAt) !== minuteOf(startedAt);
  if (isVoid) print('  the calls did not fit into one minute: void');
  const judged = await Promise.all(
    keys.map(async (key) => {
      const paid = await unitsOf(baseUrl, key);
      const answered = answers.filter((one) => one.key === key).flatMap(({ own }) => own);
      return { paid, ok: answered.filter((one) => one === 'ok').length, failed: answered.includes('failed') };
    }),
  );
  const most = Math.min(perMinute, AGENTS_OF_WORKSPACE * CALLS_EACH);
  const different = judged.filter(({ paid, ok, failed }) => failed || ok !== most || paid !== ok).length;
  print(`  ${keys.length} workspaces, ${most} calls a minute of each: ${different} got or paid another number`);
  const isMet = different === 0 && !isVoid;
  print(`  target: limit and quota exact to the unit: target ${isMet ? '' : 'not '}met`);
  return isMet;
}

const minuteOf = (time: number): number => Math.floor(time / MINUTE_MS);

async function untilEarlyInMinute(): Promise<void> {
  const passed = Date.now() % MINUTE_MS;
  if (passed > BEGINNING_MS) await pause(MINUTE_MS - passed + 500);
}

/** The units of this month before this call, which is one more unless the minute refuses it. */
async function unitsOf(baseUrl: string, key: string): Promise<number> {
  const answer = await fetch(`${baseUrl}/labels`, { headers: { authorization: `Bearer ${key}` } });
  const remaining = Number(answer.headers.get('x-ratelimit-quota-remaining'));
  return perMonth - remaining - (answer.status === 200 ? 1 : 0);
}

interface Weighed {
  url: string;
  key: string;
  clients: number;
  server: Child;
}

/** The memory of a client that has connected and asks for nothing. */
async function weighIdle({ url, key, clients, server }: Weighed, print: (line: string) => void): Promise<boolean> {
  // The first clients bring what the server needs once.
  (await connectAll(url, key, Math.ceil(clients / 10))).forEach((one) => one.destroy());
  await pause(1_000);
  const before = await server.memory();
  const idle = await connectAll(url, key, clients);
  await pause(1_000);
  const each = Math.round(((await server.memory()) - before) / clients);
  idle.forEach((one) => one.destroy());
  const isMet = each <= MOST_IDLE_BYTES;
  print(`  ${clients} idle clients: ${each} bytes of memory each`);
  print(`  target: ${MOST_IDLE_BYTES} bytes for an idle client: target ${isMet ? '' : 'not '}met`);
  return isMet;
}

/** Each with a connection of its own, which stays open. */
async function connectAll(url: string, key: string, clients: number): Promise<Agent[]> {
  const agents: Agent[] = [];
  while (agents.length < clients) {
    const some = Array.from({ length: Math.min(50, clients - agents.length) }, () => new Agent({ keepAlive: true }));
    await Promise.all(some.map((agent) => post(url, key, INITIALIZE, agent)));
    agents.push(...some);
  }
  return agents;
}

type Outcome = 'ok' | 'limited' | 'failed';

const CLIENT = { name: 'bench', version: '1.0.0' };
const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: CLIENT },
};

async function callTool(url: string, key: string, agent: Agent): Promise<Outcome> {
  const text = await post(url, key, { method: 'tools/call', params: { name: 'list_labels', arguments: {} } }, agent);
  if (text.includes('"structuredContent"')) return 'ok';
  return text.includes('RATE_LIMIT_EXCEEDED') ? 'limited' : 'failed';
}

function post(url: string, key: string, message: object, agent: Agent): Promise<string> {
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  return new Promise((resolve, reject) => {
    const asked = request(url, { method: 'POST', headers, agent }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (piece: string) => (text += piece));
      answer.once('end', () => resolve(text));
    });
    asked.once('error', reject).end(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }));
  });
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
