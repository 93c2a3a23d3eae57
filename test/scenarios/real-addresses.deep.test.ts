import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { readLocalConfig } from '@postroom/local/config';
import { openEngines } from '@postroom/local/engines';
import { startLocal } from '@postroom/local/local';
import { createLifecycle } from '@postroom/runtime/lifecycle';
import { silentLog } from '@postroom/runtime/log';
import { freshDatabaseUri } from '../support/database.ts';

const root = join(__dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'postroom-addresses-'));
/** Accepts connections and sends nothing, as a hung server does. */
let mute: Server;
const open = new Set<Socket>();
let hung: string;
/** A port that was free a moment ago. */
let closed: string;

beforeAll(async () => {
  const gone = await listening(createServer());
  closed = addressOf(gone);
  await new Promise((resolve) => gone.close(resolve));
  mute = await listening(createServer((socket) => open.add(socket.on('error', () => undefined))));
  hung = addressOf(mute);
});
afterAll(async () => {
  mute.close();
  // Closed sockets tell the clients that still wait for the hung server that it is gone.
  for (const socket of open) socket.destroy();
  rmSync(folder, { recursive: true, force: true });
});

const listening = async (server: Server): Promise<Server> => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return server;
};
const addressOf = (server: Server) => `127.0.0.1:${(server.address() as AddressInfo).port}`;
const engines = [
  ['MongoDB', 'MONGODB_URI', (host: string) => `mongodb://user:hidden@${host}/postroom`],
  ['Kafka', 'KAFKA_BROKERS', (host: string) => host],
  ['Redis', 'REDIS_URL', (host: string) => `redis://:hidden@${host}`],
] as const;

const ask = (env: NodeJS.ProcessEnv, said: string[]) =>
  openEngines(readLocalConfig([], env), folder, createLifecycle(silentLog), (line) => void said.push(line));

interface Answer {
  said: string[];
  refusal: string;
}

async function answerOf(variable: string, address: string): Promise<Answer> {
  const said: string[] = [];
  const refusal = await ask({ [variable]: address }, said).then(
    () => '',
    (error: Error) => error.message,
  );
  return { said, refusal };
}

async function startWithClosedRedis() {
  const env = { ...process.env, MONGODB_URI: '', KAFKA_BROKERS: '', REDIS_URL: `redis://${closed}` };
  const args = ['--conditions=@postroom/source', 'deploy/local/start.mjs', '--json', '--data', join(folder, 'data')];
  const started = spawn(process.execPath, args, { cwd: root, env });
  let [stdout, stderr] = ['', ''];
  started.stdout.on('data', (text) => (stdout += text));
  started.stderr.on('data', (text) => (stderr += text));
  const [code] = await once(started, 'close');
  return { code, stdout, stderr };
}

describe('npm start with an address that does not answer', () => {
  /** Each waits ten seconds for an answer, so all of them wait together. */
  let waits: Record<'closed' | 'hung', Promise<Answer[]>> & { process: ReturnType<typeof startWithClosedRedis> };
  beforeAll(() => {
    const askAll = (host: string) =>
      Promise.all(engines.map(([, variable, address]) => answerOf(variable, address(host))));
    waits = { closed: askAll(closed), hung: askAll(hung), process: startWithClosedRedis() };
  });

  it('says so in one line and exits with 1', async () => {
    const { code, stdout, stderr } = await waits.process;
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr.split('\n').filter((line) => line.includes('does not answer'));
    expect(lines).toEqual([expect.stringMatching(/^Redis does not answer at .* within 10 s .*REDIS_URL/)]);
    expect(stderr).not.toMatch(/^\s+at /m);
  }, 90_000);

  describe.each(['closed', 'hung'] as const)('%s', (state) => {
    it('each engine is named with its variable, and no password is shown', async () => {
      const host = state === 'closed' ? closed : hung;
      const answers = await waits[state];
      for (const [at, [name, variable]] of engines.entries()) {
        const { said, refusal } = answers[at] as Answer;
        expect(said).toContain(`${name}: ${host} (${variable})`);
        expect(said.join() + refusal).not.toContain('hidden');
        expect(refusal).toMatch(new RegExp(`^${name} does not answer at ${host} within 10 s .*correct ${variable}`));
        expect(refusal).not.toContain('\n');
      }
    }, 60_000);
  });

  it('an address that is none is named before anything is tried', () => {
    expect(() => readLocalConfig([], { MONGODB_URI: 'localhost:27017' })).toThrow('MONGODB_URI is wrong');
    expect(() => readLocalConfig([], { REDIS_URL: 'here', KAFKA_BROKERS: 'there' })).toThrow(
      /REDIS_URL[\s\S]*KAFKA|KAFKA[\s\S]*REDIS_URL/,
    );
    expect(() => readLocalConfig([], { REDIS_URL_FILE: join(folder, 'none') })).toThrow('REDIS_URL_FILE names');
  });
});

describe('npm start with real addresses', () => {
  it('takes each on its own, also from a file, and says which engine is which', async () => {
    // A secret mounted in a cluster ends with a newline more often than not.
    const uri = freshDatabaseUri();
    const file = join(folder, 'uri');
    writeFileSync(file, `${uri}\n`);
    const { KAFKA_BROKERS, REDIS_URL } = process.env;
    const env = { MONGODB_URI_FILE: file, KAFKA_BROKERS, REDIS_URL };
    const said: string[] = [];
    const args = ['--data', join(folder, 'real'), '--emails', '3', '--open', 'changes'];
    const local = await startLocal(readLocalConfig(args, env), (line) => void said.push(line));
    try {
      const authorization = `Bearer ${local.ready.keys.read}`;
      const answer = await fetch(`${local.ready.baseUrl}/emails`, { headers: { authorization } });
      expect(answer.status).toBe(200);
      expect(local.ready.features).toEqual(['changes']);
      expect(said[0]).toMatch(/^MongoDB: .*\(MONGODB_URI\)$/);
      expect(said[1]).toMatch(KAFKA_BROKERS ? /^Kafka: .*\(KAFKA_BROKERS\)$/ : /^Kafka: in-process bus$/);
      expect(said[2]).toMatch(REDIS_URL ? /^Redis: .*\(REDIS_URL\)$/ : /^Redis: in-process counters$/);
    } finally {
      await local.close();
    }
  }, 60_000);
});
