import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { type EmbeddedMongo, startEmbeddedMongo } from '@postroom/embedded/start';
import { freePort } from '@postroom/local/free-port';
import { eventually } from '../engines/eventually.ts';
import { commandLine } from '../support/command-line.ts';
import { freshDatabaseUri } from '../support/database.ts';
import { endServiceProcesses, type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

const ROOT = join(__dirname, '../..');
let server: EmbeddedMongo | undefined;
let started: ServiceProcess | undefined;

afterAll(async () => {
  await started?.stop();
  // The one that never gets to open.
  endServiceProcesses();
  await server?.close();
});

// Each waits for a server that does not answer, so all of them wait together.
it.concurrent(
  'a service whose database is unavailable at the start lives on unready, says so once, and is ready once both it and its schema are there',
  async () => {
    const [port, adminPort] = [await freePort(0), await freePort(0)];
    const uri = `mongodb://127.0.0.1:${port}/postroom?directConnection=true`;
    const page = async (path: string) => {
      const response = await fetch(`http://127.0.0.1:${adminPort}${path}`);
      return `${response.status} ${(await response.text()).trim()}`;
    };
    const opening = startServiceProcess('view-filter', {
      MONGODB_URI: uri,
      GRPC_PORT: '0',
      ADMIN_PORT: `${adminPort}`,
    });
    await eventually(async () => expect(await page('/livez')).toBe('200 ok'), 60_000);
    await eventually(async () => expect(await page('/readyz')).toBe('503 not ready: open, database'), 60_000);

    server = await startEmbeddedMongo({ port });
    await eventually(async () => expect(await page('/readyz')).toBe('503 not ready: open, schema'), 60_000);
    await commandLine({ MONGODB_URI: uri }).json('migrate');
    started = await opening;
    const lines = started.said().split('\n');
    expect(lines.filter((line) => line.includes('the database does not answer'))).toHaveLength(1);
    expect(lines.filter((line) => line.includes('the schema is not there'))).toHaveLength(1);
    expect(started.said()).not.toContain('fatal');
    expect(await page('/readyz')).toBe('200 ok');
  },
);

it.concurrent(
  'a migration that is told to wait says once that the database is unavailable, and runs when it is there',
  async () => {
    const port = await freePort(0);
    const args = [
      '--conditions=@postroom/source',
      '-r',
      '@postroom/from-source/register',
      join(ROOT, 'services/operator/src/postroom.ts'),
    ];
    const MONGODB_URI = `mongodb://127.0.0.1:${port}/postroom?directConnection=true`;
    const migration = spawn(process.execPath, [...args, 'migrate', '--wait', '--json'], {
      cwd: ROOT,
      env: { MONGODB_URI },
    });
    const ended = once(migration, 'exit');
    let said = '';
    migration.stderr.on('data', (piece: Buffer) => (said += piece.toString()));
    await once(migration.stderr, 'data');
    const late = await startEmbeddedMongo({ port });
    expect(await ended).toEqual([0, null]);
    expect(said).toMatch(/^the database does not answer: [^\n]+; waiting for it\n$/);
    await late.close();
  },
);

it.concurrent('a service whose broker is unavailable at the start lives on unready', async () => {
  const adminPort = await freePort(0);
  const unreachable = `127.0.0.1:${await freePort(0)}`;
  const uri = freshDatabaseUri();
  await commandLine({ MONGODB_URI: uri }).json('migrate');
  void startServiceProcess('forwarder', {
    LABEL_RULE_ADDR: unreachable,
    OUTBOUND_SEND_ADDR: unreachable,
    MONGODB_URI: uri,
    KAFKA_BROKERS: unreachable,
    ADMIN_PORT: `${adminPort}`,
  }).catch(() => undefined);
  const page = async (path: string) => (await fetch(`http://127.0.0.1:${adminPort}${path}`)).text();
  await eventually(async () => expect(await page('/readyz')).toBe('not ready: open, broker\n'), 60_000);
  expect(await page('/livez')).toBe('ok\n');
});
